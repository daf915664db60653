"""The questions of exercise 7, a module for each."""
