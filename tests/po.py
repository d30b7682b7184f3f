"""Words for people that no translation can reach: see tests/po.sh.

    python3 tests/po.py ROOT
    python3 tests/po.py --values FILE.po     translations that lack a {value} of their message

Reads the client, and those files of common that make words for people, and prints each
text in quotes that a person would read and that stands outside _(), N_(), C_() and
translate_count(): what is handed to a function that shows it, and any text of two words
or more. What is left out below is read by programs.
"""

import collections
import pathlib
import re
import sys

TOKEN = re.compile(
    r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[A-Za-z_]\w*|\s+|.""",
    re.S,
)
MARKS = {"_", "N_", "C_", "translate_count", "translate_words"}
SHOW = {
    "text_add", "text_addf", "console_say", "console_sayf", "console_ask",
    "console_refuse", "console_refusef", "client_fail", "verb_refuse", "verb_ask_first",
    "panel_add", "complain", "words_refuse", "refuse", "refuse_at",
    "record_import_refuse", "record_import_note", "say_why", "puts", "say", "say_labelled",
    "fail", "secret_ask",
}
# The arguments of these functions are looked up, compared, logged, or sent to a server.
SILENT = {
    "strcmp", "strncmp", "strcasecmp", "strncasecmp", "strlen", "strstr", "strchr",
    "strspn", "strcspn", "strpbrk", "getenv", "fopen", "log_die", "log_warn", "log_info",
    "log_debug", "assert", "static_assert", "client_send", "client_sendf", "visit_send", "visit_sendf", "prefs_set",
    "words_value", "proto_line_value", "proto_line_number", "model_number", "is_ours",
    "getopt_long", "text_list_has", "send_as_typed", "set_path", "json_text",
}
COMMON = [
    "board", "fault", "guide", "notation", "notation_fen", "record",
    "record_draft", "record_gib", "record_pgn", "record_scan", "rules",
    "ruleset",
]
# Files whose text only programs read: engines, pictures, JSON; and the completion of typed words.
PROGRAMS = {
    "complete.c", "uci.c", "bot_engine.c", "svg.c", "json.c", "thinker.c",
    "catalogue.c", "language.c",
}
# Functions that write for programs: lines for a server, files.
FUNCTIONS = {
    ("offline.c", "answer_why"),
    ("answers.c", "answers_use"),
    ("notice.c", "notice_add_chooser"),
    ("verbs.c", "version_run"),
    ("prefs.c", "set_path"),
    ("bot_play.c", "bot_seek"),
    ("record_pgn.c", "guess_player"),
    ("report.c", "add_svg_line"),
    ("report.c", "add_svg_dot"),
    ("report.c", "add_svg_words"),
    ("report.c", "report_write_svg"),
}
# Strings that look like words for people but are not.
NO_WORDS = re.compile(
    r"""^(
        [rnbgkcpRNBGKCP0-9/]{12,}\ [rb]\ .*      # a position
      | [a-z]+!?(,\ [a-z]+)+                     # "See also"
      | row\ [a-z]+(\?.*)?                       # the key of a sentence
      | janggi(:?\ [a-z]+)?(:\ %s.*|[:\ >]*)     # the program, and its prompt
      | janggi\ [a-z]+\ [A-Z|\[\]:]+(\ [A-Z]+)*  # how it is called
      | [^%]*%s=.* | \ [a-z_]+=.*                # lines for a server
      | (\#k|\#login|claim|OK|help)\ .*
      | game-%lld\.record | (save|load)\ sunday\.record | BCGH | --[a-z]+
      | \[White\ .* | (;\ )?swap\ | pass          # of other programs
      | (name|key)\ .*%s.*                       # of our key
    )$""",
    re.X,
)
ESCAPES = re.compile(r'\\(?:[ntr"\\]|x[0-9a-fA-F]{2}|[0-7]{1,3})')
FORMATS = re.compile(r"%[-+ #0]*[\d*]*(?:\.[\d*]+)?(?:ll|l|z|h)?[a-zA-Z%]")


# line, text, the calls around it, the function it is in, the field it is given to, and
# what stands before it in the innermost brackets.
Literal = collections.namedtuple("Literal", "line text calls function field before")


def tokens(source):
    """Words and signs with their places, without comments and lines of the preprocessor."""
    blanked = re.sub(
        r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: re.sub(r"[^\n]", " ", m.group()), source,
        flags=re.M,
    )
    for match in TOKEN.finditer(blanked):
        text = match.group()
        if not text.isspace() and not text.startswith(("/*", "//")):
            yield text, match.start()


def function_before(found, i):
    """The name in front of the parenthesis that closes at found[i]."""
    depth = 0
    while i >= 0:
        depth += (found[i][0] == ")") - (found[i][0] == "(")
        if depth == 0:
            return found[i - 1][0]
        i -= 1
    return ""


def literals(source):
    """Each text in quotes, those that follow each other as one."""
    found = list(tokens(source))
    stack, function, i = [], "", 0
    while i < len(found):
        token, at = found[i]
        if token in ("(", "[", "{"):
            before = found[i - 1][0] if i else ""
            if token == "{" and not stack and before == ")":
                function = function_before(found, i - 1)
            stack.append((before if token == "(" and before[:1].isidentifier() else "", at))
        elif token in (")", "]", "}"):
            if stack:
                stack.pop()
            if not stack:
                function = function if token != "}" else ""
        elif token.startswith('"'):
            text, begin = token[1:-1], i
            while i + 1 < len(found) and found[i + 1][0].startswith('"'):
                i += 1
                text += found[i][0][1:-1]
            calls = [call for call, _ in stack if call]
            start = stack[-1][1] if stack else at
            field = found[begin - 2][0] if begin > 1 and found[begin - 1][0] == "=" else ""
            yield Literal(
                source.count("\n", 0, at) + 1, text, calls, function, field, source[start:at]
            )
        i += 1


def is_unmarked(file, literal):
    text, calls = literal.text, literal.calls
    if MARKS & set(calls) or SILENT & set(calls) or (file, literal.function) in FUNCTIONS:
        return False
    if "call->line" in literal.before:
        return False  # goes to the server
    if literal.field in ("alias", "name") or NO_WORDS.match(text):
        return False
    row = re.match(r'\{\s*"([a-z]+)"', literal.before)
    if row and "  " not in text and all(line.startswith(row[1]) for line in text.split(r"\n")):
        return False  # examples in the row of a verb: only what is typed
    bare = FORMATS.sub(" ", ESCAPES.sub(" ", text))
    if calls and calls[-1] in SHOW and re.search(r"[A-Za-z]{2,}", bare):
        return True
    return re.search(r"[A-Za-z]{2,}[,;:.?!]? +[a-z]{2,}", bare) is not None


def values(text):
    return set(re.findall(r"{([a-z_]+)[:#}]", text))


def without_values(po):
    """Prints each message of the catalogue of messages whose {values} its translation changes."""
    faults = 0
    for block in pathlib.Path(po).read_text().split("\n\n"):
        block = re.sub(r'"\n"', "", block)
        found = re.search(r'^msgid "(.*)"\nmsgstr "(.*)"$', block, re.M)
        if found and found[2] and values(found[1]) != values(found[2]):
            print(f"other values: {found[1]}")
            faults += 1
    return 1 if faults else 0


def main(root):
    files = sorted((root / "client").glob("**/*.c")) + [
        path for path in sorted((root / "common").glob("*/*.c")) if path.stem in COMMON
    ]
    faults = 0
    for path in files:
        if path.name in PROGRAMS:
            continue
        for literal in literals(path.read_text()):
            if is_unmarked(path.name, literal):
                where = f"{path.relative_to(root)}:{literal.line}"
                print(f'{where}: not marked: "{literal.text[:60]}"')
                faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(without_values(sys.argv[2]) if sys.argv[1] == "--values" else main(pathlib.Path(sys.argv[1])))
