"""All that grading depends on besides the bytes handed in: a plan, the same for a whole class."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from firth.checks.variants import forms_of
from firth.grading.results.record import fingerprint
from firth.grading.run.questions import asked


@dataclass(frozen=True)
class Plan:
    """All that grading a submission depends on, besides its bytes and its student."""

    exercise: str
    seed: bytes
    timeout: float = 10.0  # seconds for a cell, and for a claim
    memory: int = 1024  # MB for all of a submission's processes together
    checks: Mapping[str, str] = field(default_factory=dict)  # private files, name → source
    sandbox: str = ""  # the name of one, or the best that works where it is graded
    forms: Mapping[str, str] = field(default_factory=dict)  # student → whose form it is: variants
    known: Mapping[str, str] = field(default_factory=dict)  # what one is called → whose form it is
    released: bool = False  # whether there is a table of forms; else `known` are the class's names
    modules: tuple[str, ...] = ()  # what a house loads beforehand: see supervisor/loading.py

    @property
    def fingerprints(self) -> dict[str, str]:
        """What a record keeps of the seed and the private checks: enough to tell, not to know."""
        files = "\0".join(f"{name}\0{source}" for name, source in sorted(self.checks.items()))
        return {
            "seed": fingerprint(b"seed\0" + self.seed),
            "checks": fingerprint(files.encode()) if files else "",
        }

    def variant(self, student: str) -> dict[str, str]:
        """The forms of the questions that have several; none where the first forms count."""
        whose = self.forms.get(student, "")
        return forms_of(asked(self.exercise, self.checks).answers, whose) if whose else {}

    def same(self, student: str) -> dict:
        """What a record of this student says if it has come of a plan like this one."""
        return {
            "exercise": self.exercise,
            "owner": self.forms.get(student, ""),
            "variant": self.variant(student),
            **self.fingerprints,
        }

    def inputs(self, data: bytes) -> int:
        """The seed of all the inputs that these bytes will meet."""
        mixed = hashlib.sha256(b"\0".join([self.seed, self.exercise.encode(), data]))
        return int.from_bytes(mixed.digest()[:8], "big")
