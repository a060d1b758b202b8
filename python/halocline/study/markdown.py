"""x."""


def markdown(r):
    return ""
