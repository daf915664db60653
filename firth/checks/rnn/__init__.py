"""The questions of exercise 3, a module for each."""
