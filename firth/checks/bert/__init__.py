"""The questions of exercise 6, a module for each."""
