"""What a student has: points of the answers, points that readers gave, and which file counts.

total  =  points of the answers  +  points that readers gave for written answers
"""

from collections import defaultdict
from collections.abc import Callable, Iterable

from firth.grading.results.cells import total
from firth.grading.results.record import key

GRADED = ("graded", "partly graded")


def standing(record: dict, marks: dict) -> tuple[float | int, float | int, float | int, bool]:
    """Points in all, points to be had, those of them from readers, and whether a reader is due."""
    own = marks.get(key(record["student"], record["file"]), {})
    unread = [question for question in record["written"] if question["name"] not in own]
    read = total(mark.points for mark in own.values())
    worth = [len(mark.lines) for mark in own.values()] + [q["points"] for q in unread]
    due = not all(mark.complete for mark in own.values())
    due = due or any(question["text"].strip() for question in unread)
    return total([record["score"], read]), total([record["points"], *worth]), read, due


def best(records: Iterable[dict], marks: dict, of: Callable[[dict], str]) -> dict[str, list[dict]]:
    """The records of each person by what names them, the one that counts first: most points."""
    groups = defaultdict(list)
    for record in records:
        groups[of(record)].append(record)

    def rank(record: dict):
        return record["status"] not in GRADED, -standing(record, marks)[0], record["file"]

    return {who: sorted(groups[who], key=rank) for who in sorted(groups)}
