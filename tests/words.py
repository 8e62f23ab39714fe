"""Words: the texts of a table, in rows; a list of them would have a line for each."""


def words(text: str) -> list[str]:
    """The words of *text*."""
    return text.split()
