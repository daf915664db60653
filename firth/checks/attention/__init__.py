"""The questions of exercise 4, a module for each."""
