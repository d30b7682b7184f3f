"""Single faults in C sources, made by rule: a list of places where one token could be another, or a
statement missing. No preprocessor line, declaration, assertion or log line is touched."""
import hashlib
import re

TOKEN = re.compile(r"""
    (?P<skip>\s+|/\*.*?\*/|//[^\n]*|\#(?:[^\n\\]|\\.)*)
  | (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
  | (?P<number>0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<sign><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
""", re.X | re.S)

# The replacements for an operator between two operands.
BINARY = {"<": ("<=", ">="), ">": (">=", "<="), "<=": ("<", ">"), ">=": (">", "<"), "==": ("!=",),
          "!=": ("==",), "&&": ("||",), "||": ("&&",), "+": ("-",), "-": ("+",), "*": ("+",),
          "/": ("*",), "%": ("*",), "&": ("|",), "|": ("&",), "<<": (">>",), ">>": ("<<",)}
ASSIGNING = {"+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=", "++": "--", "--": "++"}
WORDS = {"true": "false", "false": "true"}
# Statements that begin so are not deleted, and nothing in them is changed.
LEFT_ALONE = re.compile(r"(log_\w+|assert|static_assert|die|abort)$")
# These are not deleted either: the compiler or a declaration needs them.
KEPT = {"return", "goto", "if", "else", "for", "while", "do", "switch", "case", "default", "const",
        "static", "struct", "enum", "union", "unsigned", "signed", "int", "char", "bool", "size_t",
        "int64_t", "uint64_t", "uint32_t", "double", "long", "short", "void", "typedef", "extern"}


class Token:
    def __init__(self, kind, text, at):
        self.kind, self.text, self.at = kind, text, at


def tokens_of(source):
    return [Token(found.lastgroup, found[0], found.start())
            for found in TOKEN.finditer(source) if found.lastgroup != "skip"]


class Mutant:
    """One fault: bytes [at, at + len(old)) of a file become new."""

    def __init__(self, path, function, at, old, new, source, count):
        self.path, self.function = path, function
        self.at, self.old, self.new = at, old, new
        start = source.rfind("\n", 0, at) + 1
        end = source.find("\n", at + len(old))
        self.line_number = source.count("\n", 0, at) + 1
        self.before = " ".join(source[start:end].split())
        self.after = " ".join((source[start:at] + new + source[at + len(old):end]).split())
        # Where the file is, and which line it is, does not change who is in a sample.
        name = path.rsplit("/", 1)[-1]
        self.key = f"{name} {function}: {self.before} -> {self.after}"
        if count:
            self.key += f" (again, {count})"

    def apply(self, source):
        return source[:self.at] + self.new + source[self.at + len(self.old):]

    def order(self, seed):
        return hashlib.sha256(f"{seed} {self.key}".encode()).digest()


def functions_in(tokens):
    """(name, first token of the body, one behind its last)."""
    depth, opened, name = 0, None, None
    for i, token in enumerate(tokens):
        if token.text == "{":
            if depth == 0 and i > 0 and tokens[i - 1].text == ")":
                name, opened = name_before(tokens, i - 1), i
            depth += 1
        elif token.text == "}":
            depth -= 1
            if depth == 0 and opened is not None:
                yield name, opened + 1, i
                opened = None


def name_before(tokens, closing):
    depth = 0
    for i in range(closing, 0, -1):
        depth += (tokens[i].text == ")") - (tokens[i].text == "(")
        if depth == 0:
            return tokens[i - 1].text
    return "?"


def is_operand_end(token):
    return token.kind in ("number", "text") or token.text in (")", "]") or \
        (token.kind == "word" and token.text not in KEPT and token.text != "sizeof")


def is_cast_end(tokens, i):
    """Is tokens[i] the ")" of a cast, so that a sign behind it has one operand? A guess."""
    if tokens[i].text != ")":
        return False
    start = i - 1
    while start > 0 and (tokens[start].kind == "word" or tokens[start].text == "*"):
        start -= 1
    inside = [t.text for t in tokens[start + 1:i]]
    return tokens[start].text == "(" and tokens[start - 1].kind != "word" and bool(inside) and \
        (inside[-1] == "*" or inside[0] in KEPT or inside[-1].endswith("_t"))


def statements_in(tokens, first, last):
    """(first token, its ";") of every statement that is an expression."""
    start, i = first, first
    while i < last:
        text = tokens[i].text
        if text in ("{", "}", ";", ":") or text in ("else", "do"):
            start = i + 1
        elif text == ")" and is_head_end(tokens, first, i):
            start = i + 1
        elif i == start and tokens[i].kind == "word" and text not in KEPT:
            end = end_of_statement(tokens, i, last)
            if end is not None and is_expression(tokens, i, end):
                yield i, end
        i += 1


def is_head_end(tokens, first, closing):
    """Does this ")" end the head of an if, for, while or switch?"""
    depth = 0
    for i in range(closing, first - 1, -1):
        depth += (tokens[i].text == ")") - (tokens[i].text == "(")
        if depth == 0:
            return tokens[i - 1].text in ("if", "for", "while", "switch") or \
                bool(re.match(r"(DL|LL|HASH)_\w*(FOREACH|ITER)", tokens[i - 1].text))
    return False


def end_of_statement(tokens, start, last):
    depth = 0
    for i in range(start, last):
        depth += (tokens[i].text in "([{") - (tokens[i].text in ")]}")
        if depth < 0:
            return None
        if depth == 0 and tokens[i].text == ";":
            return i
    return None


def is_expression(tokens, start, end):
    """A call or an assignment; not the declaration of a variable, nor a label."""
    second = tokens[start + 1].text
    return second in ("(", "=", ".", "->", "[", "++", "--", ";") or second in ASSIGNING


def mutants_in(path, source):
    tokens = tokens_of(source)
    seen, found = {}, []

    def add(function, at, old, new):
        key = (function, Mutant(path, function, at, old, new, source, 0).key)
        seen[key] = seen.get(key, -1) + 1
        found.append(Mutant(path, function, at, old, new, source, seen[key]))

    for function, first, last in functions_in(tokens):
        quiet = set()
        for start, end in statements_in(tokens, first, last):
            if LEFT_ALONE.match(tokens[start].text):
                quiet.update(range(start, end + 1))
                continue
            begins, ends = tokens[start].at, tokens[end].at
            text = source[begins:ends]
            if not text.startswith("(void)") and text not in ("break", "continue"):
                # Other lines stay where they are.
                add(function, begins, text, "\n" * text.count("\n"))
            elif text in ("break", "continue"):
                add(function, begins, text, "")
        for i in range(first, last):
            token = tokens[i]
            if i in quiet:
                continue
            if token.kind == "number":
                for new in other_numbers(token.text):
                    add(function, token.at, token.text, new)
            elif token.text in WORDS:
                add(function, token.at, token.text, WORDS[token.text])
            elif token.text in ASSIGNING:
                add(function, token.at, token.text, ASSIGNING[token.text])
            elif token.text == "!" and not is_operand_end(tokens[i - 1]):
                add(function, token.at, "!", "")
            elif token.text in BINARY and is_operand_end(tokens[i - 1]) and \
                    not is_cast_end(tokens, i - 1) and tokens[i + 1].text not in (")", ",", ";", "="):
                for new in BINARY[token.text]:
                    add(function, token.at, token.text, new)
            elif token.text == "if" and is_whole_condition(tokens, i + 1):
                add(function, tokens[i + 1].at + 1, "", "!")
    return found


def is_whole_condition(tokens, opening):
    """Is the condition one name or one call, so that a "!" in front negates all of it?"""
    if tokens[opening + 1].kind != "word":
        return False
    depth = 0
    for i in range(opening, len(tokens)):
        depth += (tokens[i].text == "(") - (tokens[i].text == ")")
        if depth == 0:
            return True
        if depth == 1 and (tokens[i].text in BINARY and tokens[i].text not in "*" or tokens[i].text == "="):
            return False
    return False


def other_numbers(text):
    digits = text.rstrip("uUlL")
    is_octal = len(digits) > 1 and digits.isdigit() and digits[0] == "0"
    value, suffix = int(digits, 8 if is_octal else 0), text[len(digits):]
    return {0: ("1",), 1: ("0", "2" + suffix)}.get(value, (f"{value + 1}{suffix}", f"{value - 1}{suffix}"))
