"""The code of *The Company Words Keep*: a package for each chapter, and what they share."""
