"""Numbers of a request that become numbers of a query: no larger than any database takes."""

from typing import Annotated

from fastapi import Header, Query

MOST_PAGES = 1_000_000
MOST_EVENTS = 1_000_000
MOST_ITEMS = 200

PageNumber = Annotated[int, Query(ge=1, le=MOST_PAGES)]
PageSize = Annotated[int, Query(ge=1, le=MOST_ITEMS)]
LastEventId = Annotated[int, Header(ge=0, le=MOST_EVENTS)]
