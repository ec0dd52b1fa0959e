"""Lessons on the Arena and Inside pages."""
