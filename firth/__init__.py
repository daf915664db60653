"""The code behind *The Company Words Keep*: one module per idea, named as the book names it."""
