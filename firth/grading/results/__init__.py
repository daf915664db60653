"""Trusted code that writes what a teacher gets: records, sheets, feedback, marks, overlap."""
