"""Every small slip in a solution that alters an answer is caught by its claims.

Each node of a solution's syntax tree is changed in the ways that a hand slips: another axis, a
constant off by one, operands swapped, a call left out, < for <=, a bound of a slice dropped,
another name. Whether a mutant is wrong at all is not decided by the claims: it is run beside the
solution on inputs of its own, odd ones among them. What differs there must fail under every seed.
"""

import ast
import copy
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from answers import EXERCISES, SOLUTIONS, compiled, defined, definitions
from learners import INPUTS, UNSURE
from parts import by_day

from firth.checks.answers import Answer, Stopped
from firth.checks.claims import close

SEEDS = by_day([[1957], [1, 20, 777]], lambda seeds: 1957 in seeds)
AT_LEAST = 10
OPERATORS = {
    ast.Add: [ast.Sub, ast.Mult],
    ast.Sub: [ast.Add],
    ast.Mult: [ast.Div, ast.Add],
    ast.Div: [ast.Mult, ast.Sub],
    ast.MatMult: [ast.Mult],
    ast.Lt: [ast.LtE, ast.Gt],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.Lt],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.And: [ast.Or],
    ast.Or: [ast.And],
}
CALLS = {
    "max": ["min"],
    "min": ["max"],
    "log": ["log2", "log10", "log1p", "exp", "sqrt"],
    "maximum": ["minimum"],
    "zeros": ["ones"],
    "sum": ["mean", "max", "cumsum"],
    "norm": ["sum", "max"],
    "argsort": ["sort", "argmax"],
    "sorted": ["list", "reversed"],
}


def replacements(node: ast.AST, names: list[str]) -> Iterator[ast.AST]:
    """The slips at one node of a solution, each as the node that a slip would have left."""

    def changed(**fields):
        other = copy.copy(node)
        for field, value in fields.items():
            setattr(other, field, value)
        return other

    match node:
        case ast.BinOp(op=op, left=left, right=right):
            yield from (changed(op=kind()) for kind in OPERATORS.get(type(op), []))
            yield changed(left=right, right=left)
            yield from (left, right)
        case ast.AugAssign(op=op):
            yield from (changed(op=kind()) for kind in OPERATORS.get(type(op), []))
        case ast.BoolOp(op=op, values=values):
            yield from (changed(op=kind()) for kind in OPERATORS.get(type(op), []))
            for n in range(len(values)):
                yield changed(values=values[:n] + values[n + 1 :])
        case ast.Compare(ops=[op]):
            yield from (changed(ops=[kind()]) for kind in OPERATORS.get(type(op), []))
            yield ast.Constant(True)
        case ast.UnaryOp(operand=operand):
            yield operand
        case ast.IfExp(body=body, orelse=orelse):
            yield from (body, orelse, changed(body=orelse, orelse=body))
        case ast.Constant(value=bool() as value):
            yield changed(value=not value)
        case ast.Constant(value=int() | float() as value):
            yield from (changed(value=other) for other in (value + 1, value - 1))
        case ast.Slice(lower=lower, upper=upper):
            if upper:
                yield changed(lower=upper, upper=None)
                yield changed(upper=ast.BinOp(upper, ast.Add(), ast.Constant(1)))
                yield changed(upper=ast.BinOp(upper, ast.Sub(), ast.Constant(1)))
                yield changed(upper=None)
            if lower:
                yield changed(lower=None)
        case ast.Subscript(value=value, slice=ast.Tuple(elts=[first, second])):
            yield changed(slice=ast.Tuple([second, first], ast.Load()))
            if isinstance(node.ctx, ast.Load):
                yield value
        case ast.Subscript(value=value, ctx=ast.Load()):
            yield value
        case ast.Call(func=func, args=args, keywords=keywords):
            name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
            for other in CALLS.get(name, []):
                renamed = copy.deepcopy(func)
                setattr(renamed, "attr" if isinstance(func, ast.Attribute) else "id", other)
                yield changed(func=renamed)
            yield from args  # the call left out
            if isinstance(func, ast.Attribute) and not isinstance(func.value, ast.Name):
                yield func.value
            for n in range(len(args) - 1):
                yield changed(args=[*args[:n], args[n + 1], args[n], *args[n + 2 :]])
            for n in range(len(keywords)):
                yield changed(keywords=keywords[:n] + keywords[n + 1 :])
        case ast.Attribute(attr="T", value=value):
            yield value
        case ast.Return(value=ast.Tuple(elts=elements)):
            yield changed(value=ast.Tuple(elements[::-1], ast.Load()))
        case ast.Name(id=name, ctx=ast.Load()) if name in names:
            yield from (changed(id=other) for other in names if other != name)


def parents(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, str, int | None, ast.AST]]:
    """Every place in a function's body: parent, field, index in a list, and who stands there."""
    for parent in ast.walk(function):
        for field, value in ast.iter_fields(parent):
            if parent is function and field != "body":
                continue
            for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(child, ast.AST):
                    yield parent, field, index, child


def put(parent: ast.AST, field: str, index: int | None, node: ast.AST) -> None:
    if index is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[index] = node


def names_of(function: ast.FunctionDef) -> list[str]:
    """Its own names: what a hand could write for another."""
    inside = list(ast.walk(function))
    stored = {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return sorted(stored | {argument.arg for argument in function.args.args})


def mutants(function: ast.FunctionDef) -> Iterator[tuple[str, ast.FunctionDef]]:
    """The function with one slip, once for each slip, and what stands where the slip is.

    It is the same function each time: what is wanted of it is to be taken before the next slip.
    """
    seen, names = {ast.unparse(function)}, names_of(function)
    for parent, field, index, child in list(parents(function)):
        for other in replacements(child, names):
            put(parent, field, index, other)
            text = ast.unparse(function)
            if text not in seen:
                seen.add(text)
                yield f"{ast.unparse(child)}  →  {ast.unparse(other)}", function
            put(parent, field, index, child)


# --- the judgement ---------------------------------------------------------------------------


@contextmanager
def at_most(seconds: int):
    def stop(*_):
        raise Stopped("It takes for ever.")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def outcome(function, case):
    """An answer's numbers and whether it wrote into its input; or None where there is no answer."""
    answer = Answer(function)
    try:
        return answer(*copy.deepcopy(case)), answer.changed
    except Stopped:
        return None


def settled(name, solution, case):
    """Whether rounding has no say in the right answer: two nearly equal numbers may swap places."""
    rng = np.random.default_rng(0)

    def shaken(item):
        if isinstance(item, dict):
            return {key: shaken(value) for key, value in item.items()}
        if isinstance(item, np.ndarray) and item.dtype.kind == "f":
            return item * (1 + 1e-9 * rng.normal(size=item.shape))
        return item

    if name not in UNSURE:
        return True
    right = solution(*copy.deepcopy(case))
    return all(np.array_equal(right, solution(*map(shaken, case))) for _ in range(3))


def differs(name, known, mutant):
    """Whether a mutant gives another answer than is known on any of these cases."""
    view = EXERCISES[name].view
    for case, mine in known:
        other = outcome(mutant, case)
        if other is None or other[0].shape != mine[0].shape or other[1] != mine[1]:
            return True
        if not close(view(other[0], mine[0]), mine[0]):
            return True
    return False


def caught(name, mutant, seed):
    exercise = EXERCISES[name]
    verdicts = (exercise.verdict(n, mutant, seed) for n in range(len(exercise.claims)))
    return not all(verdict.holds for verdict in verdicts)


def tried(path, name):
    """Each mutant of a solution, as what was changed and the function."""
    nodes = definitions(path)
    place = next(n for n, node in enumerate(nodes) if getattr(node, "name", "") == name)
    before = compiled(nodes[:place])
    with np.errstate(all="ignore"):
        for slip, mutant in mutants(nodes[place]):
            names: dict = {}
            exec(before, names)
            exec(compiled([mutant]), names)
            yield slip, names[name]


ALL = [
    (path, name) for path in SOLUTIONS for name, e in EXERCISES.items() if e.chapter == path.stem
]


@pytest.mark.parametrize("path, name", ALL, ids=[name for _, name in ALL])
@pytest.mark.parametrize("seeds", SEEDS)
def test_every_slip_that_alters_the_answer_is_caught(path, name, seeds, record_property):
    rng = np.random.default_rng(8)
    solution = defined(definitions(path))[name]
    drawn = [INPUTS[name](rng) for _ in range(60)]
    known = [(case, outcome(solution, case)) for case in drawn if settled(name, solution, case)]
    assert all(mine for _, mine in known), "the solution has no answer to an input of the test"
    wrong, equivalent, missed = [], [], []
    for slip, mutant in tried(path, name):
        with at_most(20):
            alters = differs(name, known, mutant)
        if alters:
            wrong.append((slip, mutant))
        else:
            equivalent.append(slip)
    for seed in seeds:  # the outer loop: what a seed has drawn is kept until the next one comes
        for slip, mutant in wrong:
            with at_most(20):
                missed += [] if caught(name, mutant, seed) else [(slip, seed)]
    counts = f"{name}: {len(wrong)} mutants alter the answer, {len(equivalent)} are equivalent"
    record_property("mutants", counts)
    print(counts, *equivalent, sep="\n    ")
    assert len(wrong) >= AT_LEAST, counts
    assert not missed, f"{counts}; not caught: {missed}"
