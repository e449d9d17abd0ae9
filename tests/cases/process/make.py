"""Makes the process workbooks that only the tests use: `python tests/cases/process/make.py [FOLDER]`.

They are written by the script of the sample processes from the texts in `text/`.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "data"))  # run as a script, this file knows no packages

from processes_source.make import make  # noqa: E402

if __name__ == "__main__":
    for path in make(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE, HERE / "text"):
        sys.stdout.write(f"{path}\n")
