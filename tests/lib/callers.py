"""Addresses to come from, honest people who play while something else goes on, and functions that run as processes of
their own. Standard library only.

Attackers and honest people never share a process: what one of them computes would be
measured as a delay of the other.
"""
import multiprocessing
import random
import threading
import time
import traceback

import players
from players import Player, Refused, recorded_moves

PROCESSES = multiprocessing.get_context("fork")

def network(number, block=1):
    """Returns an address in a /24 that belongs to this number alone: 127.BLOCK.N.1. After 250 numbers the next
    block follows."""
    return f"127.{block + number // 250}.{1 + number % 250}.1"


def field(line, key):
    """The value of key=value in a line, or None."""
    return next((word.split("=", 1)[1] for word in line.split() if word.startswith(key + "=")), None)


def random_name():
    """Returns a name without letters that look like other letters or digits."""
    return "".join(random.choices("abcdefghjkmnpqrstuvwxyz", k=12))


# --- Honest people ----------------------------------------------------------------


class Honest:
    """Two who play, two who begin one game after the other, a member who comes back again and again, and
    newcomers. Each of these groups is a thread."""

    def __init__(self, port, door, begun):
        """door: the code of an invitation, which makes members of them; begun: counts the games that they have
        begun."""
        self.begun = begun
        self.port, self.door, self.faults, self.is_over = port, door, [], threading.Event()
        self.moves, self.games, self.members, self.newcomers = [], [], [], []
        self.moves_s, self.token = 0.2, None
        self.pair = [self._join(name, at) for at, name in enumerate(("hong", "kim"))]
        self.beginners = [self._join(name, at) for at, name in enumerate(("choe", "yun"), 2)]
        member = self._join("park", 4)
        self.token = member.token
        member.ask("quit")

    def _join(self, name, number):
        caller = Player(self.port, source=network(number, 200))
        answer = caller.login(name, invite=self.door)
        if not answer.startswith("OK"):
            raise Refused(answer)
        return caller

    def _ask(self, caller, line):
        answer = caller.ask(line)
        if not answer.startswith("OK"):
            self.faults.append(f"{line}: {answer}")
        return answer

    def _begin(self, red, blue):
        """Begins a game and returns its number; None, and a fault, if the server refuses."""
        seek = field(self._ask(red, "seek time=none side=red"), "id")
        game = field(self._ask(blue, f"accept {seek}"), "game") if seek else None
        if game is not None:
            red.expect(f"^! game {game} 0 start")
        elif seek is not None:
            self._ask(red, f"withdraw {seek}")
        return game

    def play(self):
        """The pair plays the recorded game again and again. A move takes until the opponent has received
        it."""
        while not self.is_over.is_set():
            game = self._begin(*self.pair)
            if game is None:
                self.is_over.wait(0.5)
                continue
            for caller, setup in zip(self.pair, ("NBNB", "BNNB")):
                self._ask(caller, f"setup game={game} {setup}")
            for number, (side, move) in enumerate(recorded_moves(), 1):
                if self.is_over.wait(self.moves_s):
                    return
                self._move(game, number, side, move)

    def _move(self, game, number, side, move):
        mover, other = self.pair if side == "red" else self.pair[::-1]
        began = time.monotonic()
        self._ask(mover, f"move game={game} {number} {move}")
        other.expect(f"^! game {game} {number + 2} ")
        self.moves.append((began, time.monotonic() - began))

    def begin(self):
        # No faster than the server allows: a few games at once, then one in some seconds.
        while not self.is_over.wait(1.2 if len(self.games) < 40 else 8):
            began = time.monotonic()
            game = self._begin(*self.beginners)
            if game is not None:
                self._play_shortly(game)
                self.games.append((began, time.monotonic() - began))
                self.begun.value += 1

    def _play_shortly(self, game):
        """Each makes a move, and one resigns. Players who leave games before a move may soon begin none."""
        for caller, setup in zip(self.beginners, ("NBNB", "BNNB")):
            self._ask(caller, f"setup game={game} {setup}")
        for number, (side, move) in enumerate(recorded_moves()[:2], 1):
            self._ask(self.beginners[side == "blue"], f"move game={game} {number} {move}")
        self._ask(self.beginners[0], f"resign game={game}")

    def visit(self):
        """The member comes back again and again. A refused connection counts as one that takes for ever."""
        while not self.is_over.wait(1):
            self.members.append(self._visit(network(4, 200), "park", self.token))

    def arrive(self):
        """Newcomers, each from a network of its own."""
        for number in range(10 ** 6):
            if self.is_over.wait(0.5):
                return
            self.newcomers.append(self._visit(network(number, 202), None, None))

    def _visit(self, source, name, token):
        began = time.monotonic()
        try:
            caller = Player(self.port, source=source)
            answer = caller.login(name, token)
            took = time.monotonic() - began if answer.startswith("OK") else float("inf")
            caller.cut()
        except (Refused, TimeoutError):
            took = float("inf")
        return began, took

    def _guarded(self, life):
        try:
            life()
        except (Refused, TimeoutError) as error:
            if not self.is_over.is_set():
                self.faults.append(f"{life.__name__}: {error}")

    def live(self, is_told):
        """Runs until is_told() returns."""
        lives = [threading.Thread(target=self._guarded, args=(life,), daemon=True)
                 for life in (self.play, self.begin, self.visit, self.arrive)]
        for life in lives:
            life.start()
        is_told()
        self.is_over.set()
        for life in lives:
            life.join(2 * players.PATIENCE_S)
        return {"moves": self.moves, "games": self.games, "members": self.members,
                "newcomers": self.newcomers, "faults": self.faults}


# --- Processes --------------------------------------------------------------------


class Child:
    """A function in a process of its own: function(ask, ...), where ask(word) says
    word to the parent and waits for an answer."""

    def __init__(self, function, *arguments, **options):
        self.here, there = PROCESSES.Pipe()
        self.process = PROCESSES.Process(target=self._run,
                                         args=(there, function, arguments, options),
                                         daemon=True)
        self.process.start()
        there.close()

    @staticmethod
    def _run(pipe, function, arguments, options):
        def ask(word):
            pipe.send(word)
            return pipe.recv()
        random.seed()
        try:
            pipe.send(("done", function(ask, *arguments, **options)))
        except BaseException:  # the parent prints it
            pipe.send(("failed", traceback.format_exc()))

    def hear(self):
        """Returns the next word that the child sends with ask()."""
        word = self.here.recv()
        if isinstance(word, tuple):
            raise RuntimeError(word[1])
        return word

    def tell(self, word="go"):
        self.here.send(word)

    def result(self):
        kind, value = self.here.recv()
        self.process.join()
        if kind == "failed":
            raise RuntimeError(value)
        return value


def counter():
    """A number that a Child and its parent share."""
    return PROCESSES.Value("i", 0)


def honest(ask, port, door, begun):
    """For Child: asks "ready", and is told when it is over."""
    people = Honest(port, door, begun)
    return people.live(lambda: ask("ready"))


def percentile(numbers, percent):
    """The percentile of the numbers; 0 if there are none."""
    ordered = sorted(numbers)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))] if ordered else 0
