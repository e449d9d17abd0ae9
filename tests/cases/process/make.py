"""Makes the process workbooks that only the tests use: `python tests/cases/process/make.py`.

They are written by the script of the sample processes from the texts in `text/` and `drafts/text/`.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "data"))  # run as a script, this file knows no packages

from processes_source.make import make  # noqa: E402

if __name__ == "__main__":
    for folder in (HERE, HERE / "drafts"):
        for path in make(folder, folder / "text"):
            sys.stdout.write(f"{path}\n")
