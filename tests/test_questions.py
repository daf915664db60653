"""A question stands in one file, and importing that file alone gives all of it."""

import json
import subprocess
import sys

from answers import FORMS

from firth.checks import questions

ALONE = """
import importlib, json, pkgutil, sys
import firth.checks as checks
from firth.checks.claims import Exercise, Written

before, found = set(sys.modules), {}
for module in pkgutil.iter_modules(checks.__path__, "firth.checks."):
    for name in set(sys.modules) - before:
        del sys.modules[name]
    items = vars(importlib.import_module(module.name)).values()
    found[module.name] = []
    for item in items:
        if isinstance(item, Exercise | Written):
            forms = (item, *item.forms) if isinstance(item, Exercise) else ()
            told = [
                [form.form, [c.sentence for c in form.claims], [q for _, q in form.mistakes]]
                for form in forms
            ]
            found[module.name].append([item.name, told])
print(json.dumps(found))
"""


def of_each_module():
    """The questions that each module of checks gives to whoever imports nothing else of them."""
    done = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_question_has_a_file_of_its_own_which_is_complete():
    alone = of_each_module()
    assert not [module for module, items in alone.items() if len(items) > 1]
    given = {name: forms for items in alone.values() for name, forms in items}
    assert sorted(name for items in alone.values() for name, _ in items) == sorted(questions())
    for form in FORMS:
        (mine,) = (one for one in given[form.name] if one[0] == form.form)
        assert mine[1] == [claim.sentence for claim in form.claims], form.name
        assert mine[2] == [question for _, question in form.mistakes], form.name
