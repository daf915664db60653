"""The questions of exercise 5, a module for each."""
