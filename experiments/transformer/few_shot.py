"""How many examples SmolLM2 needs to see what is wanted; store every answer.

    python -m experiments.transformer.few_shot

Three tasks of twenty questions, as lines "word: answer". In front stand 0, 1 or 4 solved lines,
with or without a sentence that says what the task is. Which lines, a seed says; there are three. An
answer is what the model writes greedily on the line; it is right if it begins with the right word.
A prompt that is stored is not asked again.
"""

import argparse
import json
import random

import torch

from experiments.conditions import conditions
from firth.runtime.progress import progress
from firth.store.results import DATA, stored_result
from firth.transformer import smollm
from firth.transformer.gpt import Cache

FILE = DATA / "transformer/few_shot.json"
SEEDS = 3
SHOTS = (0, 1, 4)
LINE = 6  # tokens at most
TASKS = {
    "opposites": (
        "Write the opposite of each word.",
        "hot cold, big small, fast slow, day night, good bad, up down, left right, old young, "
        "rich poor, open closed, light dark, happy sad, hard soft, early late, high low, "
        "full empty, strong weak, true false, loud quiet, thick thin, "
        "black white, long short, love hate, wet dry, inside outside, first last, win lose, "
        "clean dirty",
    ),
    "capitals": (
        "Write the capital of each country.",
        "France Paris, Italy Rome, Spain Madrid, Germany Berlin, Japan Tokyo, Egypt Cairo, "
        "Russia Moscow, Greece Athens, Portugal Lisbon, Austria Vienna, Poland Warsaw, "
        "Ireland Dublin, Cuba Havana, Norway Oslo, Sweden Stockholm, Kenya Nairobi, Peru Lima, "
        "Hungary Budapest, Thailand Bangkok, Australia Canberra, "
        "Denmark Copenhagen, Finland Helsinki, Chile Santiago, China Beijing, Belgium Brussels, "
        "Canada Ottawa, Turkey Ankara, Iraq Baghdad",
    ),
    "plurals": (
        "Write the plural of each noun.",
        "cat cats, child children, mouse mice, man men, box boxes, city cities, foot feet, "
        "knife knives, house houses, woman women, baby babies, tooth teeth, leaf leaves, "
        "bus buses, goose geese, sheep sheep, wolf wolves, hero heroes, story stories, day days, "
        "dog dogs, wife wives, dish dishes, potato potatoes, person people, key keys, lady ladies, "
        "book books",
    ),
}


def material(task: str, seed: int) -> tuple[list[list[str]], list[list[str]]]:
    """Twenty questions, the same for every seed, and four solved lines that are none of them."""
    pairs = [pair.split() for pair in TASKS[task][1].split(", ")]
    return pairs[:20], random.Random(seed).sample(pairs[20:], max(SHOTS))


def written(prompts: list[str]) -> list[str]:
    """What the model writes after each prompt, greedily, to the end of the line.

    What all prompts begin with is read once, and then prompts of one length side by side.
    """
    net, words = smollm.model(), smollm.tokenizer()
    ids = [words.encoded(prompt) for prompt in prompts]
    columns = enumerate(zip(*(each[:-1] for each in ids), strict=False))
    differ = (i for i, column in columns if len({*column}) > 1)
    common = next(differ, min(map(len, ids)) - 1)
    first = Cache()
    if common:
        net.states(torch.tensor([ids[0][:common]]), first)
    said = [""] * len(ids)
    for length in {len(each) for each in ids}:
        members = [n for n, each in enumerate(ids) if len(each) == length]
        cache, B = Cache(), len(members)
        cache.blocks = {i: tuple(x.repeat(B, 1, 1) for x in kv) for i, kv in first.blocks.items()}
        new, found = torch.tensor([ids[n][common:] for n in members]), []
        for _ in range(LINE):
            new = net.scores(net.states(new, cache)[:, -1:]).argmax(-1)
            found.append(new)
        for n, line in zip(members, torch.cat(found, dim=1).tolist(), strict=True):
            said[n] = words.decoded(line).partition("\n")[0].strip()
    return said


def begins(said: str, answer: str) -> bool:
    """Whether what was said begins with the answer, and with no longer word.

    >>> begins("Paris, of course", "Paris"), begins("cats", "cat")
    (True, False)
    """
    after = said[len(answer) :][:1]
    return said.lower().startswith(answer.lower()) and not after.isalpha()


def row(task: str, told: bool, shots: int, seed: int) -> dict:
    """All answers of one way of asking."""
    questions, solved = material(task, seed)
    head = f"{TASKS[task][0]}\n\n" if told else ""
    head += "".join(f"{word}: {answer}\n" for word, answer in solved[:shots])
    answers = written([f"{head}{word}:" for word, _ in questions])
    right = sum(map(begins, answers, (answer for _, answer in questions)))
    how = {"task": task, "told": told, "shots": shots, "seed": seed}
    return how | {"right": right, "of": len(questions), "head": head, "answers": answers}


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    torch.set_num_threads(1)
    wanted = [
        (task, told, shots, seed)
        for shots in SHOTS
        for task in TASKS
        for told in (True, False)
        for seed in range(SEEDS if shots else 1)
    ]
    rows = stored_result("transformer/few_shot", {"rows": []})["rows"]
    done = {tuple(row[name] for name in ("task", "told", "shots", "seed")) for row in rows}
    with progress("Asking SmolLM2 …") as say:
        for n, how in enumerate(wanted):
            if how not in done:
                say(f"Asking SmolLM2 … {n} of {len(wanted)}")
                rows.append(row(*how))
                stored = conditions() | {
                    "command": "python -m experiments.transformer.few_shot",
                    "rows": rows,
                }
                text = json.dumps(stored, indent=1, ensure_ascii=False)
                FILE.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
