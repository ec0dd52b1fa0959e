"""`python -m bolt_core` is the `bolt` command."""

from bolt_core.cli import main

main()
