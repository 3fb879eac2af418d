"""Runs the checks and tests of the repository in parallel and reports failures.

`Scripts/run_tests.py` is the program. These modules decide without processes or files:

- `schedule`: which job starts next;
- `verdict`: what failed, what is unsteady, whether the run is red;
- `report`: the text of the report;
- `pytest_order`: which file of pytest starts next.

`jobs` lists the jobs, `execute` runs one command, `swift_tests` and `python_tests` read the results
of the test runners.
"""
