"""Exercise 7, what is given up for linear attention: asked in words."""

from firth.checks.claims import Written

explain_linear_attention = Written(
    name="explain_linear_attention",
    chapter="07_linear_attention",
    number="7.9",
    difficulty=2,
    minutes=15,
    rubric=(
        "says what is saved and why: the sums over the keys do not depend on the query, so they are"
        " made once, and time grows as n instead of n²",
        "says what a token costs when one writes: the state stays as large as it is, a cache grows;"
        " with a number from the first table",
        "says below which length nothing is gained, with a number, and that it depends on the"
        " machine and on what one compares with",
        "says what is lost: n keys are folded into a state of R × k numbers, so that single ones"
        " cannot be told apart once there are many (or: positive features overlap, so that every"
        " answer hears the others), with a number from the second table",
        "says what one might do about it: more features, a band of softmax beside it, a gate that"
        " forgets, or softmax in some of the layers",
    ),
)
