#!/usr/bin/env python3
"""The contents of PROTOCOL.md as data: its tables, its lists of words and its grammar.

    python3 tests/docs/protocol.py [--self-test] BUILD

compares them with the tables of the programs (tables.c) and with what the sources of the server say,
and prints "ok" and "not ok" lines. --self-test changes a copy of PROTOCOL.md in one place at a
time: each change must be noticed. The plays judge every line of a server by the same class
(tests/play/client.py), and at their end whether all that is written has been said.
"""

import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from abnf import AbnfError, Grammar  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXT = ROOT / "common" / "PROTOCOL.md"

# Keys of refusals and notices whose values are words that a program compares.
WORDS = ("why", "what", "how", "kind")
CLOCK_KEYS = {"red_ms", "blue_ms", "red_periods", "blue_periods", "in_period", "running"}
ITEM = re.compile(r'(?:([a-z_]+)=)?("[^"]*"|[^\s"]+)')
UNITS = {"s": 1, "m": 60, "h": 3600}


# --- Lines -----------------------------------------------------------------------------------

def items(words):
    """(key or None, value) of a line up to its human part."""
    words = re.split(r" :(?: |$)", words, maxsplit=1)[0]
    return [(found[1], found[2].strip('"')) for found in ITEM.finditer(words)]


def keys_of(words):
    return {key for key, _ in items(words) if key is not None}


def word_of(words):
    """The value that a program compares, as "why=login", or ""."""
    return next((f"{key}={value}" for key, value in items(words) if key in WORDS), "")


def spans(cell):
    """Returns the words in backticks."""
    return re.findall(r"`([^`]+)`", cell)


def plain(cell):
    return cell.strip("`")


# --- The text --------------------------------------------------------------------------------

class Protocol:
    """The contract as its text has it."""

    def __init__(self, text):
        self.text = text
        self.messages = None
        self.tables = self.read_tables()
        self.grammar = Grammar("\n".join(re.findall(r"```abnf\n(.*?)```", text, re.S)))
        self.server_line = self.grammar.compiled("server-line")
        self.game_event = self.grammar.compiled("game-event")
        self.commands = [(plain(usage), who, answer) for usage, who, answer in self.table("command")]
        self.answers = self.read_answers()
        self.refusals = self.read_keys(r"ERR ([a-z-]+)(.*)", "answer")
        self.notices = self.read_keys(r"! ([a-z-]+)(.*)", "notice")
        self.events = [plain(event) for event, _ in self.table("event")]
        self.limits = {plain(name): value for name, value, _ in self.table("limit")}
        self.rulesets = {plain(name): sides for name, *sides in self.table("`rules=`")}
        self.bounds = [tuple(map(plain, row)) for row in self.table("part")]
        self.reasons = self.listed(r"Reasons: ([^.]*)\.")
        self.reserved = self.listed(r"keeps these\s+names for itself: ([^,]*),")
        self.phases = self.listed(r"`phase` is ([^.]*)\.")
        self.checks = self.listed(r"`check` is ([^.]*?), `points`")

    def read_tables(self):
        """(heads, rows) of each table."""
        tables, heads = [], None
        for line in self.text.splitlines():
            if not line.startswith("|"):
                heads = None
                continue
            cells = [cell.strip().replace(r"\|", "|")
                     for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
            if heads is None:
                heads = cells
                tables.append((heads, []))
            elif set("".join(cells)) != {"-"}:
                tables[-1][1].append(cells)
        return tables

    def table(self, head):
        """The rows of all tables whose first column is called so."""
        return [row for heads, rows in self.tables for row in rows if heads[0] == head]

    def listed(self, pattern):
        """The words in backticks of a sentence."""
        found = re.search(pattern, self.text)
        return {word for word in spans(found[1]) if "=" not in word} if found else set()

    def read_answers(self):
        """The keys of "OK VERB", and of "| row", by VERB and row. A key alone, as in "with `fits=9`",
        belongs to the "OK VERB" or row before it."""
        answers, keys = {}, set()
        for _, _, answer in self.commands:
            for span in spans(answer):
                found = re.match(r"(?:(OK|\|) ([a-z-]+))?(.*)", span)
                if found[1]:
                    keys = answers.setdefault((found[1], found[2]), set())
                    keys |= CLOCK_KEYS if "...clock..." in found[3] else set()
                if found[1] or re.match(r"[a-z_]+=", span):
                    keys |= keys_of(found[3])
        return answers

    def read_keys(self, pattern, head):
        """The keys that stand with each (code, "why=word"), or (kind, "why=word")."""
        result = {}
        for first, *_ in self.table(head):
            for span in spans(first):
                found = re.fullmatch(pattern, span)
                if found:
                    keys = result.setdefault((found[1], word_of(found[2])), set())
                    keys |= keys_of(found[2])
                    keys |= CLOCK_KEYS if "...clock..." in found[2] else set()
        return result

    # --- What it says of a line

    def fact(self, line):
        """Returns the row that a line of a server belongs to, and the keys that the text gives it;
        (None, None) if no row describes it."""
        line = re.sub(r"^#\S+ ", "", line)
        mark, _, rest = line.partition(" ")
        if mark in ("OK", "|"):
            name = rest.split(" ")[0]
            if mark == "OK" or (mark, name) in self.answers:
                return (mark, name), self.answers.get((mark, name))
        elif mark == "ERR":
            name, _, words = rest.partition(" ")
            return (mark, name, word_of(words)), self.refusals.get((name, word_of(words)))
        elif line.startswith("! game "):
            kind = rest.split(" ")[3]
            known = any(event.split(" ")[0] == kind for event in self.events)
            return ("event", kind), set() if known else None
        elif mark == "!":
            name, _, words = rest.partition(" ")
            return (mark, name, word_of(words)), self.notices.get((name, word_of(words)))
        return None, None

    def facts(self):
        """Returns all rows of the text; the plays must see each of them."""
        return ({(mark, name) for mark, name in self.answers} |
                {("ERR", *key) for key in self.refusals} |
                {("!", *key) for key in self.notices} |
                {("event", event.split(" ")[0]) for event in self.events} |
                {("reason", reason) for reason in self.reasons} |
                {("phase", phase) for phase in self.phases} |
                {("check", check) for check in self.checks})

    def check_line(self, line):
        """(facts, complaint or None) of a line of a server, without its line end."""
        if not self.server_line.fullmatch(line + "\n") or (
                line.startswith("! game ") and not self.game_event.fullmatch(line)):
            return set(), "outside the grammar"
        fact, keys = self.fact(line)
        if fact is None:
            return set(), None
        if keys is None:
            return set(), f"not in PROTOCOL.md: {' '.join(filter(None, fact))}"
        seen = {fact}
        if fact[0] == "event":
            if fact[1] == "end":
                reason = line.split(" ")[6]
                if reason not in self.reasons:
                    return set(), f"not in PROTOCOL.md: the reason {reason}"
                seen.add(("reason", reason))
            return seen, None
        strange = keys_of(line.partition(" ")[2]) - keys
        if strange:
            return set(), f"keys that PROTOCOL.md does not give this line: {sorted(strange)}"
        if fact[0] == "ERR" or fact[:2] in (("!", "notice"), ("!", "bye")):
            self.messages = self.messages or Messages()
            words = line.partition(f"{fact[0]} {fact[1]} ")[2]
            wrong = self.messages.complaint(fact[1], words)
            if wrong:
                return set(), wrong
        for key, value in items(line) if fact == ("OK", "state") else ():
            allowed = {"phase": self.phases, "check": self.checks}.get(key)
            if allowed is not None and value not in allowed:
                return set(), f"not in PROTOCOL.md: {key}={value}"
            if allowed is not None:
                seen.add((key, value))
        return seen, None


# --- The programs ----------------------------------------------------------------------------

class Programs:
    """The tables of the programs, and what the sources of the server say."""

    def __init__(self, build):
        self.tables = pathlib.Path(build) / "tests" / "docs" / "tables"
        self.rows = [row.split("\t") for row in self.ask()]
        self.said = list(said_in_sources())

    def ask(self, *words):
        done = subprocess.run([self.tables, *words], check=True, capture_output=True, text=True)
        return done.stdout.splitlines()

    def of(self, kind):
        return [row[1:] for row in self.rows if row[0] == kind]


STRING = r'"((?:[^"\\]|\\.)*)"'


def unquote(pieces):
    return "".join(re.findall(STRING, pieces)).replace('\\"', '"')


def said_in_sources():
    """(path, line of a server as far as it is a literal) for answers, notices and rows. host.c and ctl.c speak
    to the host alone, at the control socket."""
    refusal = re.compile(rf'session_err\(\s*[^,]+,\s*(REPLY_[A-Z_]+),\s*((?:{STRING}\s*)+)')
    of_game = re.compile(rf'call_err_game\(\s*\w+,\s*(REPLY_[A-Z_]+),\s*((?:{STRING}\s*)+)')
    limit = re.compile(rf'call_err_limit\(\s*\w+,\s*((?:{STRING}\s*)+)')
    answer = re.compile(rf'session_ok(?:_block)?\(\s*[^,"]+,\s*(?:block,\s*)?((?:{STRING}\s*)+)')
    news = re.compile(rf'session_notice\([^,]+,\s*((?:{STRING}\s*)+)')
    notice = re.compile(r'((?:"[!|] (?:[^"\\]|\\.)*"\s*)(?:"(?:[^"\\]|\\.)*"\s*)*)')
    for path in sorted((ROOT / "server").glob("*/*.c")):
        text = path.read_text() if path.name not in ("host.c", "ctl.c") else ""
        refusals = [(found[1], unquote(found[2])) for found in refusal.finditer(text)]
        refusals += [(found[1], unquote(found[2]) + " game=%lld") for found in of_game.finditer(text)]
        refusals += [("limit", f"what={unquote(found[1])} max=%d") for found in limit.finditer(text)]
        for code, keys in refusals:
            code = code.removeprefix("REPLY_").lower().replace("_", "-")
            keys = re.sub(r"^([^ #]*)#[^ ]+", r"\1", keys)
            yield path, f"ERR {code} {keys}"
        for found in news.finditer(text):
            yield path, f"! notice {unquote(found[1])}"
        for found in answer.finditer(text):
            yield path, f"OK {unquote(found[1])}"
        for found in notice.finditer(text):
            yield path, unquote(found[1])


# --- The comparison --------------------------------------------------------------------------

class Comparison:
    """Complaints: where text and programs differ."""

    def __init__(self, protocol, programs):
        self.protocol, self.programs, self.complaints = protocol, programs, []
        self.counts = {}
        self.messages = Messages()
        for name in ("verbs", "codes", "words", "notices", "events", "offers", "rulesets", "names",
                     "limits", "maxima", "times", "grammar", "messages"):
            getattr(self, f"compare_{name}")()

    def differ(self, what, text, program):
        """Both are sets of words."""
        self.counts[what] = len(program)
        if not program:
            self.complaints.append(f"{what}: the programs have none")
        for word in sorted(text - program):
            self.complaints.append(f"{what}: only PROTOCOL.md has {word!r}")
        for word in sorted(program - text):
            self.complaints.append(f"{what}: PROTOCOL.md has no {word!r}")

    def compare_verbs(self):
        """One row of the text for each usage; the row of another use of a verb begins with its name."""
        program = {usage: (who, chat) for _, usage, who, chat in self.programs.of("verb")}
        names = {name for name, *_ in self.programs.of("verb")}
        text = {usage: who for usage, who, _ in self.protocol.commands
                if usage in program or usage.split(" ")[0] not in
                {other.split(" ")[0] for other, *_ in self.protocol.commands if other in program}}
        self.differ("usages", set(text), set(program))
        self.differ("verbs", {usage.split(" ")[0] for usage, *_ in self.protocol.commands}, names)
        for usage, (who, chat) in program.items():
            wanted = who + ("; chat" if chat == "chat" else "")
            if text.get(usage, wanted) != wanted:
                self.complaints.append(f"who and cost of {usage!r}: the programs have {wanted!r}, "
                                       f"PROTOCOL.md {text[usage]!r}")

    def compare_codes(self):
        faults = self.programs.of("fault")
        self.differ("codes", {code for code, _ in self.protocol.refusals},
                    {code for code, in self.programs.of("code")})
        self.differ("faults", {word[4:] for code, word in self.protocol.refusals if code == "illegal"},
                    {fault for code, fault in faults if code == "illegal"})
        for code, fault in faults:
            if (code, f"why={fault}") not in self.protocol.refusals:
                self.complaints.append(f"faults: PROTOCOL.md has no ERR {code} why={fault}")

    def compare_words(self):
        """Every answer and notice that is a literal in the sources has its row and its keys. Where
        a word of theirs comes from a table, the table is compared; and the plays see the rest."""
        lines = [(path, line) for path, line in self.programs.said
                 if "%" not in word_of(line) and not line.startswith(("! game ", "OK %"))
                 and line not in ("! bye ", "! notice ")]
        if len(lines) < 90:
            self.complaints.append("words: hardly a literal was found in the sources")
        self.counts["answers in the sources"] = len(lines)
        for path, line in lines:
            fact, keys = self.protocol.fact(line)
            if fact is None:
                continue  # a line of a text block
            if keys is None:
                self.complaints.append(f"{path.name}: not in PROTOCOL.md: {' '.join(fact)}")
            elif keys_of(line.partition(" ")[2]) - keys:
                self.complaints.append(f"{path.name}: keys that PROTOCOL.md does not have: {line}")

    def compare_notices(self):
        self.differ("notices", {kind for kind, _ in self.protocol.notices},
                    {line.split(" ")[1] for _, line in self.programs.said if line.startswith("! ")}
                    - {"game"})

    def compare_events(self):
        """Also the examples: the programs read each, and write it so."""
        self.differ("events", {event.split(" ")[0] for event in self.protocol.events},
                    {kind for kind, in self.programs.of("event")})
        self.differ("reasons", self.protocol.reasons, {name for name, in self.programs.of("reason")})
        examples = [event.replace("...", "600000") for event in self.protocol.events]
        for example, back in zip(examples, self.programs.ask("event", *examples)):
            if example != back:
                self.complaints.append(f"events: {example!r} is to the programs {back!r}")

    def compare_offers(self):
        self.differ("offers", {word[5:] for kind, word in self.protocol.notices if kind == "offer"},
                    {kind for kind, in self.programs.of("offer")})

    def compare_rulesets(self):
        self.differ("rulesets", {" ".join([name, *sides]) for name, sides in
                                 self.protocol.rulesets.items()},
                    {" ".join(row) for row in self.programs.of("ruleset")})

    def compare_names(self):
        self.differ("reserved names", self.protocol.reserved,
                    {name for name, in self.programs.of("reserved")})

    def compare_limits(self):
        self.differ("limits", {f"{name} {value}" for name, value in self.protocol.limits.items()},
                    {f"{name} {value}{'' if star == '-' else ' *'}" for name, value, star in
                     self.programs.of("limit")})

    def compare_maxima(self):
        """The examples of ERR limit name what each limit usually is."""
        self.differ("maxima", {f"{found[1]} {found[2]}" for first, *_ in self.protocol.table("answer")
                               for found in [re.search(r"what=([\w-]+) max=(\d+)", first)] if found},
                    {" ".join(row) for row in self.programs.of("max")})

    def compare_times(self):
        """Each bound is accepted, and the next beyond it is not."""
        for part, low, high in self.protocol.bounds:
            for bound, step in ((low, -1), (high, 1)):
                inside, outside = (TIME_WITH[part](word) for word in
                                   (bound, beyond(bound, step)))
                accepted, refused = self.programs.ask("time", inside, outside)
                if accepted == "refused":
                    self.complaints.append(f"times: {part} {bound}: the server refuses {inside}")
                if refused != "refused":
                    self.complaints.append(f"times: {part} {bound}: the server accepts {outside}")
        if {part for part, *_ in self.protocol.bounds} != set(TIME_WITH):
            self.complaints.append("times: the table of bounds has other parts")
        self.counts["bounds of times"] = 2 * len(self.protocol.bounds)

    def compare_grammar(self):
        """Every rule of the grammar is used, except those that the text names as beginnings."""
        grammar = self.protocol.grammar
        self.counts["rules of the grammar"] = len(grammar.names)
        for name in set(grammar.names) - grammar.used:
            if name not in ("client-line", "server-line", "record", "game", "lineup"):
                self.complaints.append(f"grammar: nothing needs the rule {name}")


    def compare_messages(self):
        """Each refusal has its sentence in the catalogue, whose values are keys of its row; and the
        server says each sentence."""
        keys = {}
        for key, words in self.messages.all.items():
            base = key.partition("#")[0]
            keys.setdefault(base, set()).update(VALUE.findall(words))
        documented = {}
        told = {key: names for key, names in self.protocol.notices.items() if key[0] in ("notice", "bye")}
        for (code, word), names in (*self.protocol.refusals.items(), *told.items()):
            base = code if not word or word.startswith("how=") else f"{code}/{word.partition('=')[2]}"
            documented.setdefault(base, set()).update(names)
        # Clients make the sentence of any other notice, also from what they know of the game.
        for base in [base for base in keys if base.partition("/")[0] not in {code for code, _ in
                     (*self.protocol.refusals, *told)}]:
            code, _, word = base.partition("/")
            if (code, f"why={word}" if word else "") not in self.protocol.notices and \
                    not any(kind == code and not word for kind, _ in self.protocol.notices):
                self.complaints.append(f"messages: PROTOCOL.md has no ! {base}")
            del keys[base]
        codes = {code for code, _ in (*self.protocol.refusals, *told)}  # each may have a general sentence
        self.differ("messages", set(documented) - {"not-now/elsewhere", "notice/motd"},
                    set(keys) - (codes - set(documented)))
        for base, values in keys.items():
            if values - documented.get(base, set()) - {"words", "why"}:
                self.complaints.append(f"messages: PROTOCOL.md has no {sorted(values)} for {base}")
        source = "".join(path.read_text() for path in (ROOT / "server").glob("*/*.c")
                         if path.parent.name != "admin")  # what only the operator reads
        for key in self.messages.all:
            name = key.partition("#")[2]
            if name and key.partition("#")[0] in keys and not re.search(rf'[#"]{name}[" ]', source):
                self.complaints.append(f"messages: the server does not say {key}")
        for code, word, name in re.findall(
                r'REPLY_([A-Z_]+),\s*"(?:(?:why|what)=([a-z-]+))?(#[a-z-]+)?[ "]', source):
            key = code.lower().replace("_", "-") + (f"/{word}" if word else "") + name
            if (word or name) and key not in self.messages.all and key not in self.messages.FREE:
                self.complaints.append(f"messages: the catalogue has no {key}")


VALUE = re.compile(r"{([a-z_]+)}")


class Messages:
    """The catalogue, common/words/message.c: the sentence of each refusal, and of some notices."""

    # Lines whose words the server makes itself: why a move or an argument is wrong, what staff writes.
    FREE = {"args", "illegal", "entry/banned", "not-now/muted", "not-now/config", "not-now/pairs",
            "not-now/elsewhere", "notice", "notice/motd", "notice/muted", "notice/verdict", "bye/kicked",
            "bye/banned"}

    def __init__(self):
        text = (ROOT / "common" / "words" / "message.c").read_text()
        entry = re.compile(rf'{{"([a-z/#-]+)",\s*N_\(((?:{STRING}\s*)+)\)}}')
        self.all = {found[1]: unquote(found[2]) for found in entry.finditer(text)}

    def complaint(self, code, words):
        """Returns what is wrong with the words for people of a refusal, or None."""
        human = re.split(r"(?:^| ):(?: |$)", words, maxsplit=1)[1:]
        values = dict(item for item in items(words) if item[0])
        word = values.get("why", values.get("what"))
        base = f"{code}/{word}" if word else code
        if base in self.FREE or (code in self.FREE and code != "notice"):
            return None
        said = [VALUE.sub(lambda found: self.value(values, found[1]), template)
                for key, template in self.all.items() if key.partition("#")[0] == base]
        return None if human and human[0] in said else f"no message of {base} makes these words"

    @staticmethod
    def value(values, key):
        value = values.get(key, "?")
        return str(-(-int(value) // 1000)) if key.endswith("_ms") else value


TIME_WITH = {
    "main": lambda word: f"{word}+5s",
    "increment": lambda word: f"5m+{word}",
    "period": lambda word: f"5m+3x{word}",
    "periods": lambda word: f"5m+{word}x30s",
    "days": lambda word: word,
}


def beyond(word, step):
    """The next value: "-1s" after "0s" downwards, one second or one of them more or less otherwise."""
    number, unit = re.fullmatch(r"(\d+)([a-z]?)", word).groups()
    if unit in UNITS:
        return f"{int(number) * UNITS[unit] + step}s"
    return f"{int(number) + step}{unit}"


def compare(text, programs):
    try:
        return Comparison(Protocol(text), programs)
    except (AbnfError, ValueError, IndexError, KeyError) as error:
        raise AssertionError(f"PROTOCOL.md cannot be read: {error!r}") from error


# --- The control -----------------------------------------------------------------------------

CHANGES = [
    ("a verb is missing", r"\n\| `ping` [^\n]*", ""),
    ("a verb too many", r"(\n\| `ping` [^\n]*)", r"\1\n| `pong` | all | `OK pong` |"),
    ("another usage", r"`claim \[GAME\] win", "`claim [GAME] loss"),
    ("another who", r"(`seeks [^|]*\|off\]` \| )guests", r"\1players"),
    ("a cost is missing", r"(TEXT` \| players); chat", r"\1"),
    ("a cost too many", r"(`resign \[GAME\]` \| players)", r"\1; chat"),
    ("a code is missing", r"\n\| `ERR stale [^\n]*", ""),
    ("a why is missing", r"\n\| `ERR not-now why=seated`[^\n]*", ""),
    ("a fault is missing", r"\n\| `ERR illegal why=shape`[^\n]*", ""),
    ("a fault under another code", r"`ERR not-now why=time game=3`", "`ERR illegal why=time`"),
    ("a key is missing", r" left_ms=61000 name", " name"),
    ("a what is missing", r"\n\| `ERR limit what=watch [^\n]*", ""),
    ("another maximum", r"what=devices max=8", "what=devices max=9"),
    ("a how is missing", r"\n\| `ERR proof name=hong how=none`[^\n]*", ""),
    ("a notice is missing", r"\n\| `! watcher [^\n]*", ""),
    ("a notice too many", r"(\n\| `! watcher [^\n]*)", r"\1\n| `! weather game=3` | rain |"),
    ("a why of a notice is missing", r"\n\| `! notice why=stays`[^\n]*", ""),
    ("a kind of offer is missing", r"\n\| `! offer 16 [^\n]*", ""),
    ("an event is missing", r"\n\| `continue` \|[^\n]*", ""),
    ("an event that cannot be read", r"`end red checkmate`", "`end green checkmate`"),
    ("a reason is missing", r"`bikjang` ", ""),
    ("a key of an answer is missing", r" minutes=10 ", " "),
    ("a key of a row is missing", r" watching=1 pool=kja", " pool=kja"),
    ("a limit is missing", r"\n\| `moves_per_s` [^\n]*", ""),
    ("another limit", r"(`chat_burst` \| )5", r"\g<1>6"),
    ("a limit that the host cannot change", r"(`login_s` \| 30) \*", r"\1"),
    ("a reserved name is missing", r" `any`", ""),
    ("a reserved name too many", r" `any`", " `any` `some`"),
    ("another first mover", r"(`kja` \| red \| )blue", r"\1red"),
    ("another order of line-ups", r"(`kja` \| )red( \| blue)", r"\1blue\2"),
    ("a bound that is too low", r"`24h`", "`23h`"),
    ("a bound that is too high", r"(days \| `1d` \| `)30d", r"\g<1>31d"),
    ("a rule of the grammar is missing", r"\nside        =[^\n]*", ""),
    ("a rule of the grammar that needs itself", r"(\nside        =)", r"\1 side /"),
]


# Lines that no server may say, and one that it may.
STRANGE = [
    "ERR not-now why=weather",
    "ERR weather",
    "ERR proof name=hong how=eye",
    "ERR not-now why=login left_ms=5",
    "#7 OK ping pong=1",
    "#7 ok ping",
    "OK weather",
    "OK state game=1 phase=nap",
    "| seek 3 by=hong colour=green",
    "! weather game=3",
    "! bye why=bored",
    "! say game=3 by=hong mood=good : hello",
    "! game 1 0 start red=x blue=kim rules=martin time=5m",
    "! game 1 4 end red boredom",
    "! game 1 4 move 2 red B0-C2 red_ms=5",
    "-- hello",
]
KNOWN = "! say game=3 by=hong : left_ms=5 pong=1 why=weather"


def is_noticed(text, programs):
    try:
        return bool(compare(text, programs).complaints)
    except AssertionError:
        return True


def self_test(text, programs):
    wrong = []
    for name, pattern, replacement in CHANGES:
        changed, count = re.subn(pattern, replacement, text, count=1)
        if count == 0 or changed == text:
            wrong.append(f"{name}: nothing to change")
        elif not is_noticed(changed, programs):
            wrong.append(f"{name}: not noticed")
    protocol = Protocol(text)
    wrong += [f"a server may not say {line!r}" for line in STRANGE if not protocol.check_line(line)[1]]
    wrong += [f"a server may say {line!r}" for line in [KNOWN] if protocol.check_line(line)[1]]
    return wrong


def main(words):
    build = next((word for word in words if not word.startswith("-")), "build")
    text, programs = TEXT.read_text(), Programs(build)
    comparison = compare(text, programs)
    for complaint in comparison.complaints:
        print(f"not ok protocol: {complaint}")
    if not comparison.complaints:
        counts = ", ".join(f"{count} {what}" for what, count in comparison.counts.items())
        print(f"ok protocol: the text and the programs have the same {counts}")
    wrong = self_test(text, programs) if "--self-test" in words else []
    for words in wrong:
        print(f"not ok protocol control: {words}")
    if "--self-test" in words and not wrong:
        print(f"ok protocol control: notices {len(CHANGES)} changes and {len(STRANGE)} strange lines")
    return 1 if comparison.complaints or wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
