"""Doctests print arrays the way the book does."""

import numpy as np
import pytest


@pytest.fixture(autouse=True)
def book_arrays(doctest_namespace):
    doctest_namespace["np"] = np
    with np.printoptions(precision=2, suppress=True):
        yield
