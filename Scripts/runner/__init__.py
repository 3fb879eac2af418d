"""Runs the checks and tests of the repository side by side, and says what is broken.

`Scripts/run_tests.py` is the program. The rules are values without processes or files:

- `schedule`: which job starts next;
- `verdict`: what failed, what is unsteady, whether the run is red;
- `report`: the text that a reader gets.

`jobs` lists what is run, `execute` runs one command, `swift_tests` and `python_tests` read what the
test runners say.
"""
