# The commands of the course. `make` alone lists them.
SHELL := /bin/bash
PYTHON ?= python3
BOOK := .venv-book
TEST := .venv-test
PART ?= 1/1
LINT := $(TEST)/bin/ruff check . && $(TEST)/bin/ruff format --check . && $(TEST)/bin/oxlint --deny-warnings
PYTEST := $(TEST)/bin/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

NEWER := $(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("This course needs Python 3.11 or newer, and $(PYTHON) is %d.%d. Name another one: make PYTHON=python3.12" % sys.version_info[:2])'

help: ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

serve: $(BOOK)/ready ## build the book, read it on localhost, and see each change
	$(BOOK)/bin/python tools/serve.py

book: $(BOOK)/ready ## build the book into _build/html, warnings as errors
	$(BOOK)/bin/python tools/book.py

quick: $(TEST)/ready ## in two minutes at most: linters, layout, doctests, tests of what changed
	$(LINT)
	$(TEST)/bin/python tools/quick.py

test: $(TEST)/ready ## everything but the night: about 12 minutes on two cores; PART=1/4 for a quarter
	$(LINT)
	$(PYTEST) --part=$(PART)

night: $(TEST)/ready ## what takes too long for `make test`; PART=1/4 for a quarter
	$(PYTEST) --night --part=$(PART)

times: $(TEST)/ready ## run day and night, and write down how long each file of tests takes
	$(PYTEST) --times && $(PYTEST) --night --times
	$(TEST)/bin/python tools/slowest.py

notebooks: $(TEST)/ready ## execute the notebooks whose code has changed, write all in canonical form
	$(TEST)/bin/python tools/exercises.py && $(TEST)/bin/python tools/notebooks.py

exercises: $(TEST)/ready ## write exercises/ from solutions/
	$(TEST)/bin/python tools/exercises.py

chapter: $(TEST)/ready ## make chapter NAME=mamba: begin a new one, with its deeper page
	$(TEST)/bin/python tools/chapter.py $(NAME)

widget: $(TEST)/ready ## make widget NAME=lsa_spectrum: begin a new one, which passes its tests
	$(TEST)/bin/python tools/widget.py $(NAME)

prose: $(TEST)/ready ## what each chapter asks of its reader, in numbers; PAGE=chapters/01_lsa.ipynb lists the places
	$(TEST)/bin/python tools/prose.py $(if $(PAGE),--details $(PAGE))

bench: $(TEST)/ready ## the claims about speed, each beside its peer
	$(TEST)/bin/python -m benchmarks

links: $(BOOK)/ready ## follow every link out of the book
	$(BOOK)/bin/python tools/book.py --links

pdf: $(TEST)/ready ## the whole book as one file, _build/course.pdf
	$(TEST)/bin/python tools/pdf.py

vendor: $(TEST)/ready ## refresh the site's own copies of MathJax, fonts and the editor (needs npm)
	$(TEST)/bin/python tools/vendor.py

address: $(TEST)/ready ## make address URL=https://github.com/you/course: point everything at a fork
	$(TEST)/bin/python tools/address.py $(URL)

lock: ## resolve both locks afresh
	$(PYTHON) tools/lock.py

$(BOOK)/ready: requirements/book.txt
	@$(NEWER)
	@echo "Making $(BOOK) from requirements/book.txt: about half a minute, once."
	$(PYTHON) -m venv $(BOOK) && $(BOOK)/bin/pip install -q --disable-pip-version-check -r requirements/book.txt && touch $@

$(TEST)/ready: requirements/test.txt pyproject.toml
	@$(NEWER)
	@echo "Making $(TEST) from requirements/test.txt, once. On Linux, PyTorch is a download of about 3 GB."
	@echo "Its build for the CPU has 0.2 GB: https://pytorch.org/get-started/locally/ (README says how to have it)."
	$(PYTHON) -m venv $(TEST) && $(TEST)/bin/pip install -q --disable-pip-version-check -r requirements/test.txt \
	  && $(TEST)/bin/pip install -q --no-deps -e . && touch $@

.PHONY: help serve book quick test night times notebooks exercises chapter widget prose bench links pdf vendor address lock
