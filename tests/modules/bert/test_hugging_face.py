"""A published BERT in the course's own code."""

import re

import pytest
import torch

from firth.bert import fill_mask, hugging_face
from firth.store.cache import StoreError

transformers = pytest.importorskip("transformers")
CONFIG = dict(
    vocab_size=30_522, hidden_size=24, num_hidden_layers=2, num_attention_heads=4,
    intermediate_size=40, max_position_embeddings=64,
)  # fmt: skip


@pytest.fixture
def theirs():
    torch.manual_seed(0)
    net = transformers.BertForMaskedLM(transformers.BertConfig(**CONFIG)).eval()
    for weight in net.parameters():
        torch.nn.init.normal_(weight, std=0.3)
    return net


def test_a_library_s_masked_model_fills_blanks_alike_in_our_code(theirs):
    net = hugging_face.copied(theirs).eval()
    ids = torch.randint(0, 30_522, (3, 9))
    with torch.no_grad():
        ours, right = net.scores(net.bert(ids)), theirs(ids).logits
    torch.testing.assert_close(ours, right, atol=1e-3, rtol=1e-4)
    tokens, log_p = fill_mask.completions("In Texas they like to buy [MASK].", net)
    assert len(tokens) == len(log_p) == 30_522


def test_a_published_model_is_read_from_the_folder_where_it_lies(theirs, tmp_path):
    theirs.save_pretrained(tmp_path)
    net = hugging_face.bert_base(str(tmp_path))
    ids = torch.arange(1, 8)[None]
    with torch.no_grad():
        torch.testing.assert_close(
            net.scores(net.bert(ids)), theirs(ids).logits, atol=1e-3, rtol=1e-4
        )


def test_where_no_hub_answers_one_sentence_says_so(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(StoreError) as refused:
        hugging_face.bert_base(str(tmp_path / "nothing"))
    assert re.match(r".*nothing could not be had", str(refused.value))
    assert "\n" not in str(refused.value)
