"""What a page shows besides pictures and widgets: source code, tables, and maps of words."""

from .code import source
from .tables import table
from .word_plots import word_plot

__all__ = ["source", "table", "word_plot"]
