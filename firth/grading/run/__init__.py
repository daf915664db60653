"""Trusted code that grades: the plan of a run, the judging of answers, a class through a pool."""
