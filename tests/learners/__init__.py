"""What learners do with the exercises, a module for each chapter.

WRONG    exercise → answers as learners write them, each with words of the question it deserves
INPUTS   exercise → a function that draws arguments of which the claims know nothing
UNSURE   exercises whose right answer may depend on rounding: two nearly equal numbers swap places
"""

import importlib
import pkgutil

WRONG: dict[str, list] = {}
INPUTS: dict = {}
UNSURE: set[str] = set()

for module in pkgutil.iter_modules(__path__, f"{__name__}."):
    chapter = importlib.import_module(module.name)
    WRONG |= chapter.WRONG
    INPUTS |= chapter.INPUTS
    UNSURE |= chapter.UNSURE
