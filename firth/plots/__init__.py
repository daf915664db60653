"""Pictures: matplotlib draws on the Axes it is given, and `picture` puts the result on the page.

`panels` hands out Axes in the house's style; each function of `maps` and `lines` draws on an Axes
and returns it.
"""

from firth.plots.lines import curve
from firth.plots.maps import block_map, weight_map, word_map
from firth.plots.pictures import COLOURS, panels, picture

__all__ = ["COLOURS", "block_map", "curve", "panels", "picture", "weight_map", "word_map"]
