"""What a model finds wrong."""


class Bad(Exception):
    """The problem, the byte and, if it is about one, the tag: `unexpectedTag@0/5`."""

    def __str__(self):
        problem, offset, *tag = self.args
        return f"{problem}@{offset}" + "".join(f"/{one}" for one in tag)
