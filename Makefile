# The two commands of the README are `make serve` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

export ZHIXING_HOME ?= ./var

.PHONY: serve test check lint types browser samples intents soak wheel clean

serve: $(STAMP)  ## install, load the sample knowledge, serve on 127.0.0.1:8000
	$(BIN)/zhixing serve --samples

test: $(STAMP) browser  ## the whole test suite
	$(BIN)/python -m pytest -n 2 --dist loadfile

check: lint types test  ## what has to hold before a commit

lint: $(STAMP)
	$(BIN)/ruff check .

types: $(STAMP)
	$(BIN)/mypy

# The browser tests run in the distribution's Chromium; without it (and without the rights to install it)
# they are skipped and say so.
browser:
	@command -v chromium >/dev/null || sh .ci/browser || echo "没有 Chromium：浏览器测试将跳过"

samples: $(STAMP)  ## make the files of data/documents again from their source
	$(BIN)/python data/documents/build.py

# Everything but the held halves.
intents: $(STAMP)  ## fit the small intent model again to the labelled utterances
	$(BIN)/python -m service.evaluation.intent_model tests/cases/intent/own.jsonl \
		$(sort $(wildcard tests/cases/intent/voices_*.jsonl)) \
		tests/cases/process/intents_dev.jsonl tests/cases/process/intents_second_dev.jsonl \
		--tables data/processes tests/cases/process/场地借用.xlsx --out data/intent/model.csv

soak: $(STAMP)  ## the long form of the tests that kill the process and damage files
	ZHIXING_SOAK=1 $(BIN)/python -m pytest tests/service/store/test_library_crash.py \
		tests/ingestion/parsers/test_detect_and_registry.py tests/ingestion/parsers/test_pdf.py \
		tests/service/test_bulk_ingest.py

wheel: $(STAMP)
	$(BIN)/python -m pip wheel --no-deps -w dist .

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(STAMP): pyproject.toml
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and '需要 Python 3.11 或更新版本')"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $(STAMP)
