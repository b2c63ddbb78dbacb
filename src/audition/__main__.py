"""`python -m audition`: the command line."""

from audition.cli import main

main()
