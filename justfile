# What contributors run, in the environment that CONTRIBUTING.md sets up. `just` alone lists it.

set windows-shell := ["powershell.exe", "-NoLogo", "-NoProfile", "-Command"]

_list:
    @just --list --unsorted

# every check, in the order of how soon it says something; .ci/run runs this in a fresh environment
check: lint types contracts wheel tests

# rules of style, and the formatter's
lint:
    ruff check .
    ruff format --check .

# both type checkers, strict
types:
    mypy
    pyright

# which package may import which
contracts:
    lint-imports

# build the packages, install the product alone elsewhere, and use it there
wheel:
    python tests/check_wheel.py

# all tests, and the examples of docstrings and pages
tests:
    pytest -q -n 2 --dist loadfile

# the product's tests again, with the coverage of its branches; it takes twice as long as without
coverage:
    pytest -q -n 2 --dist loadfile --cov --cov-report=term:skip-covered src tests docs README.md

# mend what ruff can mend
format:
    ruff check --fix .
    ruff format .

# write the reference of the command line anew from its own help
[working-directory: 'tests']
reference:
    python -m support.cli_reference

# change code at random and see whether tests notice, such as `just mutants store --count 40`
mutants *arguments:
    python tests/mutants.py {{arguments}}

# write requirements-dev.txt anew, the newest versions that pyproject.toml allows (needs uv)
lock:
    uv pip compile pyproject.toml --extra minilm --extra openai --extra programs --group dev --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --custom-compile-command "just lock" --quiet --upgrade --output-file requirements-dev.txt
