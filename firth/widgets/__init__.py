"""The book's widgets: each a Python class beside the JavaScript file of the same name."""
