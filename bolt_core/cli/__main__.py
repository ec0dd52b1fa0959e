"""`python -m bolt_core.cli`."""

from bolt_core.cli import main

main()
