"""Tables that say the same to a screen reader, to a plain terminal and to a test."""

import re
from collections.abc import Iterable
from html import escape
from numbers import Integral, Real

NUMBER = re.compile(r"[-+−]?\d[\d,. ]*%?|–|")  # an empty place or a dash may stand among numbers


class Table:
    """Rows with a header and a caption; a column that holds only numbers is set right."""

    def __init__(self, rows: Iterable[Iterable], header: Iterable, caption: str, digits: int):
        if not caption.strip():
            raise ValueError("A table needs a caption: one sentence that says what it shows.")
        self.caption, self.header = caption, [str(name) for name in header]
        if not all(name.strip() for name in self.header):
            raise ValueError(f"A column needs a name, for those who hear the table: {self.header}.")
        self.rows = [[written(cell, digits) for cell in row] for row in rows]
        for row in self.rows:
            if len(row) != len(self.header):
                raise ValueError(
                    f"A row needs {len(self.header)} cells, one for each name in the header; "
                    f"this one has {len(row)}: {row}."
                )
        columns = list(zip(*self.rows, strict=True)) or [[""]] * len(self.header)
        self.right = [any(c) and all(map(NUMBER.fullmatch, c)) for c in columns]

    def _repr_html_(self) -> str:
        def line(first: str, rest: str, cells: list[str]) -> str:
            tags = [first, *[rest] * (len(cells) - 1)]
            sides = [' style="text-align:right"' * right for right in self.right]
            parts = zip(tags, sides, cells, strict=True)
            return "".join(f"<{tag}{side}>{escape(c)}</{tag[:2]}>" for tag, side, c in parts)

        column, row = 'th scope="col"', 'th scope="row"'  # a row is named by its first cell
        body = "".join(f"<tr>{line(row, 'td', cells)}</tr>\n" for cells in self.rows)
        return (
            f'<table class="firth-table">\n<caption>{escape(self.caption)}</caption>\n'
            f"<thead><tr>{line(column, column, self.header)}</tr></thead>\n"
            f"<tbody>\n{body}</tbody>\n</table>"
        )

    def __repr__(self) -> str:
        lines = [self.header, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        layout = [f"{{:{'>' if r else '<'}{w}}}" for r, w in zip(self.right, widths, strict=True)]
        return "\n".join([self.caption, *("  ".join(layout).format(*c).rstrip() for c in lines)])


def written(cell: object, digits: int) -> str:
    """A cell as it is read: whole numbers with commas, others rounded, nothing as a dash.

    >>> [written(cell, 2) for cell in (12_000, 0.876, "as it is", None)]
    ['12,000', '0.88', 'as it is', '–']
    """
    if cell is None or cell != cell:  # a NaN is a measurement that is not there
        return "–"
    if isinstance(cell, Integral) and not isinstance(cell, bool):
        return f"{int(cell):,}"
    if isinstance(cell, Real) and not isinstance(cell, bool):
        return f"{float(cell):,.{digits}f}"
    return str(cell)


def table(rows: Iterable[Iterable], header: Iterable, caption: str, digits: int = 2) -> Table:
    """A table is read cell by cell, so every cell must know its row and its column.

    >>> table([["cherry", 12], ["tomato", 3]], ["word", "dot product"], "Close to apple")
    Close to apple
    word    dot product
    cherry           12
    tomato            3
    """
    return Table(rows, header, caption, digits)
