"""A report as Markdown, LaTeX or HTML, and its charts as images."""
