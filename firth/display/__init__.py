"""What a page shows besides pictures and widgets: the package's own source, and tables."""

from .code import source
from .tables import table

__all__ = ["source", "table"]
