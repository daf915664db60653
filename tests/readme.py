"""The commands of README, as a reader copies them."""

import re

from notebooks import COURSE


def blocks() -> dict[str, str]:
    """The three blocks of commands under "Run the notebooks", by what they are for."""
    text = (COURSE / "README.md").read_text(encoding="utf-8")
    part = re.search(r"(?ms)^## Run the notebooks$.*?(?=^## )", text)[0]
    return dict(
        zip(("clone", "start", "alone"), re.findall(r"(?s)```sh\n(.*?)```", part), strict=True)
    )
