"""ABNF (RFC 5234, RFC 7405) as regular expressions, for grammars in which no rule needs itself."""

import re

TOKEN = re.compile(r"""
    (?P<string>(?:%[si])?"[^"]*")
  | (?P<range>%x[0-9A-F]+(?:-[0-9A-F]+)?)
  | (?P<repeat>\d*\*\d*|\d+)(?=[A-Za-z("%\[])
  | (?P<name>[A-Za-z][A-Za-z0-9-]*)
  | (?P<sign>[()\[\]/])
  | (?P<space>\s+)
""", re.X)

CORE = """
ALPHA = %x41-5A / %x61-7A
DIGIT = %x30-39
VCHAR = %x21-7E
SP = %x20
DQUOTE = %x22
CR = %x0D
LF = %x0A
"""


class AbnfError(Exception):
    """The grammar is not one."""


def rules_of(text):
    """The right sides by name. A line that begins with a space continues the one before."""
    rules, name = {}, None
    for line in text.splitlines():
        line = re.sub(r';(?=(?:[^"]*"[^"]*")*[^"]*$).*', "", line).rstrip()
        found = re.match(r"([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*)", line)
        if found:
            name = found[1]
            if name in rules:
                raise AbnfError(f"{name} is there twice")
            rules[name] = found[2]
        elif line.strip():
            if name is None or not line.startswith(" "):
                raise AbnfError(f"this is not a rule: {line}")
            rules[name] += " " + line.strip()
    return rules


def tokens_of(text):
    at, tokens = 0, []
    while at < len(text):
        found = TOKEN.match(text, at)
        if found is None:
            raise AbnfError(f"this cannot be read: {text[at:at + 20]!r}")
        if found.lastgroup != "space":
            tokens.append((found.lastgroup, found[0]))
        at = found.end()
    return tokens


class Grammar:
    """Rules by name; expression() makes one of them a regular expression."""

    def __init__(self, text):
        self.rules = rules_of(CORE)
        own = rules_of(text)
        self.names = list(own)
        self.rules.update(own)
        self.made, self.used = {}, set()
        for name in self.rules:
            self.expression(name)

    def expression(self, name, above=()):
        if name in above:
            raise AbnfError(f"{name} needs itself")
        if name not in self.rules:
            raise AbnfError(f"{name} is not defined")
        if name not in self.made:
            tokens = tokens_of(self.rules[name])
            self.made[name] = self.alternatives(tokens, (*above, name))
            if tokens:
                raise AbnfError(f"{name}: not expected: {tokens[0][1]}")
        return self.made[name]

    def alternatives(self, tokens, above):
        parts = [self.sequence(tokens, above)]
        while tokens and tokens[0] == ("sign", "/"):
            tokens.pop(0)
            parts.append(self.sequence(tokens, above))
        return parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"

    def sequence(self, tokens, above):
        parts = []
        while tokens and tokens[0][1] not in ("/", ")", "]"):
            count = tokens.pop(0)[1] if tokens[0][0] == "repeat" else None
            parts.append(self.element(tokens, above) + quantifier(count))
        if not parts:
            raise AbnfError(f"{above[-1]}: something is missing")
        return "".join(parts)

    def element(self, tokens, above):
        if not tokens:
            raise AbnfError(f"{above[-1]}: something is missing at the end")
        kind, text = tokens.pop(0)
        if kind == "string":
            return string(text)
        if kind == "range":
            low, _, high = text[2:].partition("-")
            return f"[\\U{int(low, 16):08x}-\\U{int(high or low, 16):08x}]"
        if kind == "name":
            self.used.add(text)
            return f"(?:{self.expression(text, above)})"
        inner = self.alternatives(tokens, above)
        if not tokens or tokens.pop(0)[1] != {"(": ")", "[": "]"}.get(text):
            raise AbnfError(f"{above[-1]}: {text} is not closed")
        return f"(?:{inner})?" if text == "[" else f"(?:{inner})"

    def compiled(self, name):
        return re.compile(self.expression(name))


def quantifier(count):
    if count is None:
        return ""
    low, star, high = count.partition("*")
    return f"{{{low or 0},{high}}}" if star else f"{{{low}}}"


def string(text):
    """Without %s, letters are of either case."""
    literal = re.escape(text[text.index('"') + 1:-1])
    return literal if text.startswith("%s") else f"(?i:{literal})"
