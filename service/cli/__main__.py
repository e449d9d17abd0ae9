"""`python -m service.cli` is `zhixing`."""

from service.cli.main import main

if __name__ == "__main__":
    main()
