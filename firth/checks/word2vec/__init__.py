"""The questions of exercise 2, a module for each."""
