"""BERT as it was published, in the code of this course, where a hub of models answers.

    the library's name for a table  →  ours (`minilm.renamed`);  the head for blanks likewise

The course needs no hub: nothing here runs unless it is asked to. Where one answers, the library
`transformers` fetches the 440 MB, and its tables are put into `bert.Blanks` one by one. From then
on it is the same code with other weights.
"""

import torch
from torch import nn

from firth.store.cache import StoreError

from .bert import Blanks, Shape
from .minilm import renamed


def shape(config) -> Shape:
    """What the library's configuration of a BERT says, as a shape."""
    return Shape(
        words=config.vocab_size,
        d=config.hidden_size,
        heads=config.num_attention_heads,
        inner=config.intermediate_size,
        blocks=config.num_hidden_layers,
        places=config.max_position_embeddings,
        segments=config.type_vocab_size,
        eps=config.layer_norm_eps,
    )


@torch.no_grad()
def copied(theirs: nn.Module) -> Blanks:
    """Our network with the weights of the library's BertForMaskedLM."""
    ours, head = Blanks(shape(theirs.config)), theirs.cls.predictions
    tables = {renamed(name): weight for name, weight in theirs.bert.named_parameters()}
    ours.bert.load_state_dict(ours.bert.state_dict() | tables)  # the head needs no layer on [CLS]
    ours.dense.load_state_dict(head.transform.dense.state_dict())
    ours.norm.g.copy_(head.transform.LayerNorm.weight)
    ours.norm.b.copy_(head.transform.LayerNorm.bias)
    ours.bias.copy_(head.bias)
    return ours


def bert_base(name: str = "bert-base-uncased") -> Blanks:
    """The BERT of 2018: 12 blocks, 768 features, Wikipedia and eleven thousand books read."""
    try:
        from transformers import BertForMaskedLM

        theirs = BertForMaskedLM.from_pretrained(name)
    except (ImportError, OSError):
        raise StoreError(
            f"{name} could not be had: it takes the library transformers and a way to its hub of "
            "models. Everything else on the page runs without it."
        ) from None
    return copied(theirs).requires_grad_(False).eval()
