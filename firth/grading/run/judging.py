"""The claims about one answer, judged: here, while the answer is called in its sandbox.

A copy of the player costs more than most claims, so claims share one for as long as they hold. What
does not hold there is asked again of a copy of its own, and so are all further claims about that
answer: nothing that an earlier call has left behind, on purpose or not, takes a point away.

An answer that calls another one, which is wrong, may fail through no fault of its own. It is tried
once more with the right one in its place. That gives no points, but it is said.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from firth.checks import questions
from firth.checks.claims import Exercise, Verdict
from firth.grading.inbox.replay import called
from firth.grading.supervisor.playing import Played
from firth.grading.supervisor.remote import Remote
from firth.grading.supervisor.session import Copy, Lost

IMPATIENCE = 2.0  # seconds for the claims about an answer that has been too slow once
SETTLED = {"holds", "blank", "missing", "too slow"}  # asked again, it would come out the same
INTACT = {"holds", "blank", "missing", "fails", "stopped", "too much"}  # such a copy goes on


def chance(seed: int) -> int:
    """The seed of chance inside the sandbox, which tells nothing about that of the inputs."""
    return int.from_bytes(hashlib.sha256(b"chance %d" % seed).digest()[:4])


@dataclass
class Judge:
    """Whoever judges a submission: what was played, and what decides about its inputs."""

    play: Played
    seed: int
    cells: list[str]  # the student's code: a line of it may be quoted
    timeout: float

    def all_judged(self, answers: Sequence[Exercise]) -> list[dict]:
        """What came of all answers; where one fails because of another, it is said so."""
        found = [self.judged(answer) for answer in answers]
        public = questions()
        wrong = {
            answer.name: answer.form
            for answer, result in zip(answers, found, strict=True)
            if result["score"] < result["points"] and answer.name in public
        }
        for answer, result in zip(answers, found, strict=True):
            used = (called(self.cells, answer.name) & wrong.keys()) - {answer.name}
            if used and result["status"] != "missing":
                self.followed(answer, result, {name: wrong[name] for name in sorted(used)})
        return found

    def followed(self, answer: Exercise, result: dict, mend: dict[str, str]) -> None:
        """Marks the claims that would hold if the answers that this one calls were right."""
        names = " and ".join(f"`{name}`" for name in mend)
        for index, claim in enumerate(result["claims"]):
            if claim["status"] in ("fails", "stopped", "blank"):
                try:
                    copy = self.play.copy()
                except Lost:
                    return
                verdict, _, _ = self.tried(copy, answer, index, self.timeout, mend)
                self.play.end(copy)
                if verdict.holds:
                    claim["follows"] = list(mend)
                    result["status"] = "defined"
                    claim["status"], claim["mistake"] = "fails", ""
                    claim["message"] = f"With a right {names} this would hold: mend that first."

    def judged(self, answer: Exercise) -> dict:
        """What came of one answer, claim by claim, as a record keeps it."""
        claims: list[dict] = []
        for index, claim in enumerate(answer.claims):
            if claims and claims[0]["status"] == "missing":  # nor will it be there for this one
                claims.append(claims[0] | {"claim": claim.sentence, "points": claim.points})
                continue
            verdict, status, detail = self.heard(answer, index, claims)
            claims.append(
                {
                    "claim": claim.sentence,
                    "holds": verdict.holds,
                    "score": verdict.points,
                    "points": claim.points,
                    "message": verdict.message,
                    "status": status,
                    "mistake": answer.mistakes_asked(verdict.message),
                    "detail": detail,
                }
            )
        states = {claim["status"] for claim in claims}
        (state,) = states if states in ({"missing"}, {"blank"}) else ("defined",)
        score, points = (sum(claim[key] for claim in claims) for key in ("score", "points"))
        return dict(name=answer.name, score=score, points=points, status=state, claims=claims)

    def heard(self, answer: Exercise, index: int, before: list[dict]) -> tuple[Verdict, str, str]:
        """The verdict on one claim, its status, and what only the instructor is to read."""
        slow = any(claim["status"] == "too slow" for claim in before)
        patience = min(self.timeout, IMPATIENCE) if slow else self.timeout
        doubtful = any(claim["status"] not in ("holds", "blank") for claim in before)
        try:
            if not doubtful:
                found = self.tried(self.play.shared(), answer, index, patience)
                if found[1] in SETTLED:
                    return found
            copy = self.play.copy()
            found = self.tried(copy, answer, index, patience)
            self.play.end(copy)
            return found
        except Lost as reason:
            claim = answer.claims[index]
            return Verdict(claim.sentence, False, claim.question, 0), "died", str(reason)

    def tried(
        self,
        copy: Copy,
        answer: Exercise,
        index: int,
        patience: float,
        mend: dict[str, str] | None = None,
    ) -> tuple[Verdict, str, str]:
        """The verdict on one claim by what a copy answers."""
        source = "\n".join(self.cells)
        chances, memory = chance(self.seed), self.play.memory
        remote = Remote(answer.name, copy, chances, patience, source, mend, memory)
        try:
            verdict = answer.verdict(index, remote, self.seed)
            status, detail = remote.status or ("holds" if verdict.holds else "fails"), remote.heard
        except Exception as error:  # a claim that cannot cope with what came back does not hold
            claim = answer.claims[index]
            verdict = Verdict(claim.sentence, False, claim.question, 0)
            status, detail = "fails", f"{type(error).__name__}: {error}"
        if status not in INTACT and copy is self.play.common:
            self.play.end(copy)
        return verdict, status, detail
