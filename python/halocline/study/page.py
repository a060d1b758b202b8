"""x."""


def page(r):
    return ""
