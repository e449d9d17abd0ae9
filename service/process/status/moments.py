"""Times as approval systems write them: ISO 8601, as Excel saves them, seconds or milliseconds since 1970."""

from datetime import datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

EPOCH_FORMS = {"epoch_s": 1, "epoch_ms": 1000}
ISO = "iso"
CHINA = "+08:00"
_EXCEL = ("%Y/%m/%d %H:%M:%S", "%Y/%m/%d %H:%M", "%Y/%m/%d")
_OFFSET = "%z"


def zone_of(text: str) -> tzinfo:
    """`+08:00` or a name such as `Asia/Shanghai`. Raises ValueError."""
    if text[:1] in "+-":
        offset = datetime.strptime(text, _OFFSET).utcoffset() or timedelta()
        return timezone(offset)
    try:
        return ZoneInfo(text)
    except (KeyError, OSError) as error:  # ZoneInfoNotFoundError is a KeyError; a folder's name an OSError
        raise ValueError(f"没有时区 {text}") from error


def read_moment(text: str, form: str, zone: tzinfo) -> datetime | None:
    """`form` is `iso`, `epoch_s`, `epoch_ms` or a strptime pattern. Empty text and 0 are no time.

    Raises ValueError for anything that is not a time of this form.
    """
    text = text.strip()
    if text in ("", "0"):
        return None
    if form in EPOCH_FORMS:
        return _from_epoch(text, EPOCH_FORMS[form], zone)
    read = _from_iso(text) if form == ISO else datetime.strptime(text, form)
    try:
        return read.astimezone(zone) if read.tzinfo else read.replace(tzinfo=zone)
    except OverflowError as error:  # the first or last day of the calendar, in another zone
        raise ValueError(f"{text[:30]} 不是一个时刻") from error


def _from_epoch(text: str, unit: int, zone: tzinfo) -> datetime:
    try:
        return datetime.fromtimestamp(float(text) / unit, zone)
    except (OverflowError, OSError) as error:  # beyond what the calendar or the platform's clock knows
        raise ValueError(f"{text[:20]} 不是一个时刻") from error


def _from_iso(text: str) -> datetime:
    if "/" not in text:
        return datetime.fromisoformat(text)
    for pattern in _EXCEL:
        try:
            return datetime.strptime(text, pattern)
        except ValueError:
            continue
    raise ValueError(f"{text[:30]} 不是一个时刻")
