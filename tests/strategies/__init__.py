"""States of the widgets that a reader may reach, a module for each chapter.

STRATEGIES   widget → a hypothesis strategy; it gives a function that makes the widget, since only
             the test itself may make one, with its id
"""

import importlib
import pkgutil

STRATEGIES: dict = {}

for module in pkgutil.iter_modules(__path__, f"{__name__}."):
    STRATEGIES |= importlib.import_module(module.name).STRATEGIES
