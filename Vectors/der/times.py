"""UTCTime and GeneralizedTime as RFC 5280 §4.1.2.5 and X.690 §11.7 have them."""
import calendar

from wrong import Bad

# The calendar repeats after 400 years of 146,097 days. Python's begins at the year 1 and ends at 9999.
CYCLE, SECONDS_OF_CYCLE = 400, 146_097 * 86_400


def moment(value, start, tag, may_have_fraction=False):
    """The seconds since 1970."""
    size = 12 if tag == 23 else 14
    if may_have_fraction and len(value) > 15 and value[14] == ord("."):
        check_digits(value[15:], start + 15, len(value) - 16)
        if len(value) < 17 or value[-2] == ord("0"):
            raise Bad("badTime", start + 14)
        value = value[:14] + b"Z"
    check_digits(value, start, size)
    year = int(value[: size - 10]) + (0 if tag == 24 else 1900 if value[:2] >= b"50" else 2000)
    month, day, hour, minute, second = (int(value[place : place + 2]) for place in range(size - 10, size, 2))
    shift = 0 if year >= CYCLE else 1
    if not 1 <= month <= 12 or not 1 <= day <= calendar.monthrange(year + shift * CYCLE, month)[1]:
        raise Bad("badTime", start)
    if hour > 23 or minute > 59 or second > 59:
        raise Bad("badTime", start)
    parts = year + shift * CYCLE, month, day, hour, minute, second
    return calendar.timegm(parts) - shift * SECONDS_OF_CYCLE


def check_digits(value, start, size):
    if len(value) != size + 1 or value[-1] != ord("Z"):
        raise Bad("badTime", start)
    for place, byte in enumerate(value[:-1]):
        if not 48 <= byte <= 57:
            raise Bad("badTime", start + place)
