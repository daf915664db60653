"""Store the handful of BERT that exercise 6 works with, so that it needs neither torch nor a net.

    python -m experiments.bert.exercise

- of BERT's 30,522 pieces those that a few words could be cut into, and the single letters, each
  with its number there: these words come apart as by the whole list;
- MiniLM's last states of six sentences in one batch, [PAD] and all; and the mean vectors of the
  135 items of the questionnaire (`firth.store.corpora.personality`);
- of 96 sentences with the word apple, 48 of fruit and then 48 of the firm, the state of that one
  token in each of the seven layers, on the 32 axes along which the 96 differ most. The labels had
  no part in the choice of axes. A row of numbers has a scale, and a byte for each number.
"""

import argparse
import json
import string

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray as Array

from firth.bert import minilm
from firth.bert.wordpiece import SPECIAL, pretokens
from firth.store import corpora
from firth.store.results import DATA
from firth.store.weights import quantize

FILE = DATA / "bert/exercise.json"
AXES = 32
TEXTS = (
    "This was it, the descent.",
    "merging into a vague, purplish glimmer",
    "you've won 202000 Eur",
    "unhappiness happily unaffable",
    "embeddings transformers tokenization",
    "antidisestablishmentarianism",
    "seldom worthlessness hopelessness conscientiousness",
    "日本",
)
BATCH = (
    "Get angry easily.",
    "Lose my temper.",
    "Seldom get mad.",
    "Do not enjoy going to art museums.",
    "Believe in the importance of art.",
    "Feel sympathy for those who are worse off than myself.",
)
FRUIT = """
She ate an apple and an orange.
An apple fell from the tree into the grass.
He peeled the apple with a small knife.
The apple was sour and still green.
We baked an apple cake for Sunday.
There is a worm in this apple.
I would like an apple, please, and some grapes.
The horse took the apple out of my hand.
Grandmother cut the apple into eight pieces.
Every autumn the apple harvest is brought in.
My lunch was bread, cheese and an apple.
The skin of an apple is rich in fibre.
The red apple rolled off the table.
Wash the apple before you eat it.
They drank apple juice with their breakfast.
A wasp sat on the rotten apple.
Birds had pecked at each apple in the orchard.
Cinnamon goes well with a baked apple.
The cook stuffed the goose with apple and onion.
He planted an apple tree behind the house.
The child bit into a crisp apple.
Put a slice of apple on the cheese.
This apple tastes of honey.
The farmer sold me an apple for a penny.
The apple blossom froze in April.
Snow White took the poisoned apple.
The jam is made from apple and pear.
The juicy apple dripped on her shirt.
We picked one apple from the lowest branch.
In the bowl lay a banana and an apple.
The teacher found an apple in her basket.
No apple keeps well in a warm cellar.
An old apple wrinkles and turns soft.
The smell of apple pie filled the kitchen.
The cider was pressed from a bitter apple.
She grated an apple into the salad.
A deer was eating an apple under the tree.
The core of the apple goes to the hens.
He swallowed an apple pip by mistake.
Throw the brown apple on the compost.
The doctor told him to eat an apple daily.
The stall sells apple, plum and cherry jam.
Newton watched an apple drop to the ground.
Her cheeks were red as an apple.
The salad needs walnuts and half an apple.
The baby eats mashed apple with a spoon.
Lemon and sugar keep an apple from browning.
A ladder leaned against the apple tree.
"""
FIRM = """
She bought an Apple laptop and a printer.
Last week Apple unveiled a new phone.
He updated the Apple software on his tablet.
The Apple share price rose and fell again.
We visited an Apple store in the city.
There is a bug in this Apple app.
I would like an Apple computer, please, and a mouse.
The court took the side of Apple against its rival.
Engineers at the firm left Apple for a startup.
Every autumn the Apple event is streamed live.
My office uses Google, Microsoft and Apple devices.
The chief of Apple is paid in shares.
The new Apple watch measures your pulse.
Charge the Apple headphones before you travel.
They signed in to Apple with a password.
A lawyer wrote to Apple about the patent.
Hackers had broken into each Apple account.
Developers pay a fee to the Apple platform.
The judge fined Apple for the rules of its market.
He designed an Apple keyboard in California.
The analyst invested in Apple stock.
Put a copy on the Apple server.
This Apple screen shows sharper colours.
The dealer sold me an Apple charger.
The Apple board met in April.
Two friends founded Apple in a garage.
The chips are made for Apple and Samsung.
The latest Apple phone dropped in price.
We downloaded one Apple update last night.
In the bag lay a camera and an Apple tablet.
The school bought an Apple monitor for the lab.
No Apple device reads this file.
An old Apple battery swells and dies.
The launch of Apple glasses filled the news.
The report was written by a manager of Apple.
She connected an Apple speaker by wireless.
A thief was selling an Apple phone in the street.
The profits of Apple go up each quarter.
He deleted an Apple contact by mistake.
Plug the broken Apple adapter into the socket.
The bank told him to sell Apple quickly.
The fund holds Apple, Intel and Amazon.
Investors watched Apple drop on the exchange.
Her laptop was thin, as Apple makes them.
The inventor sold his idea to Apple.
The student writes code for Apple and for Android.
Taxes and customs keep Apple from growing.
A billboard advertised the Apple brand.
"""


def pieces() -> dict[str, int]:
    """The special signs, all letters and digits, and whatever the words could be cut into."""
    numbers = minilm.words().numbers
    words = [word for text in TEXTS for word in pretokens(text)]
    alone = string.ascii_lowercase + string.digits + string.punctuation
    kept = {*SPECIAL, *alone, *(f"##{sign}" for sign in alone)}
    for word in words:
        for start in range(len(word)):
            ends = range(start + 1, len(word) + 1)
            kept |= {"##" * (start > 0) + word[start:end] for end in ends}
    return {piece: number for piece, number in numbers.items() if piece in kept}


def batch() -> tuple[list[int], Float[Array, "B n d"]]:
    """How many tokens each sentence has, and the last states of all places, padding too."""
    ids, segments, mask = minilm.batch(BATCH)
    with torch.no_grad():
        return mask.sum(dim=1).tolist(), minilm.model()(ids, segments, mask).double().numpy()


def apples() -> tuple[list[str], Float[Array, "7 96 d"]]:
    """The sentences, and what `apple` is in each of them, layer by layer."""
    texts = [line for part in (FRUIT, FIRM) for line in part.strip().splitlines()]
    found = []
    for text in texts:
        pieces, X, _ = minilm.layers(text)
        found.append(X[:, pieces.index("apple")])
    return texts, np.stack(found, axis=1)


def turned(X: Float[Array, "N d"], axes: int = AXES) -> Float[Array, "N axes"]:
    """The same points about their mean, seen along the axes on which they differ most."""
    Z = X - X.mean(axis=0)
    U, s, _ = np.linalg.svd(Z, full_matrices=False)
    signs = np.sign(U[np.abs(U).argmax(axis=0), np.arange(len(s))])  # an axis has two directions
    return (U * s * signs)[:, :axes]


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    lengths, X = batch()
    texts, layers = apples()
    stored = {
        "numbers": pieces(),
        "batch": {"texts": BATCH, "lengths": lengths, "states": quantize(X)},
        "items": quantize(minilm.vectors([str(text) for text in corpora.personality()["text"]])),
        "apple": {"texts": texts, "layers": quantize(np.array([turned(X) for X in layers]))},
    }
    text = json.dumps(stored, ensure_ascii=False, separators=(",", ":"))
    for name in ("batch", "items", "apple"):
        text = text.replace(f'"{name}":', f'\n"{name}":', 1)
    FILE.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
