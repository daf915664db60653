"""Data: corpora, pre-trained vectors, downloads and their cache, stored results, file formats."""
