"""The questions of exercise 1, a module for each."""
