"""What a page shows besides pictures and widgets: source code, tables, maps and small plots."""

from .cell_strips import cell_strips
from .code import source
from .line_plots import line_plot
from .tables import table
from .weight_maps import weight_maps
from .word_plots import word_plot

__all__ = ["cell_strips", "line_plot", "source", "table", "weight_maps", "word_plot"]
