#!/usr/bin/env python3
"""Ratings are farmed: a newcomer arranges wins over twenty throwaway accounts, three games with each. Prints
what rating the newcomer reaches without the rules about rated games, and with them, one rule after the other.

    python3 tests/host/farming.py BUILD
"""
import os
import re
import signal
import sqlite3
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "lib"))
from hosting import JANGGID, Player, Server, expect, run  # noqa: E402

THROWAWAYS, GAMES_EACH, DAY_MS = 20, 3, 24 * 3600 * 1000
TERMS = "time=10m rules=kja rated=yes setup=NBNB/NBNB"


class Farm:
    """A server, the newcomer, and the accounts that lose to them."""

    def __init__(self, directory, *options, are_apart=False, members=(), age_ms=0):
        self.server = Server(os.path.join(directory, "data"), "--limits", "setup-s=1", *options, is_stepped=True)
        self.refusals = {}
        self.hero = Player(self.server, "newcomer", source="127.0.0.1")
        self.losers = []
        for number in range(THROWAWAYS):
            self.losers.append(Player(self.server, f"throwaway{number}", source=f"127.0.{number + 1 if are_apart else 0}.1"))
        for player in [self.hero, *self.losers]:
            if player.name in members or members == "all":
                self.server.ctl("role", player.name, "member")
        self.server.clock.step_ms(age_ms)
        self.games = []

    def win(self, loser):
        """An arranged win over that account."""
        answer = self.hero.ask(f"challenge {loser.name} {TERMS}")
        if answer.startswith("ERR"):
            return self.note(answer)
        offer = expect(loser.expect(r"^! challenge \d+").string, r"(\d+)")[1]
        answer = loser.ask(f"accept {offer}")
        if answer.startswith("ERR"):
            self.hero.ask(f"withdraw {offer}")
            return self.note(answer)
        game = int(re.search(r"game=(\d+)", answer)[1])
        red = self.hero.expect(rf"^! game {game} 0 start red=(\S+)")[1]
        first, second = (loser, self.hero) if red == self.hero.name else (self.hero, loser)
        first.move(game, "a6a5")
        second.move(game, "a3a4")
        expect(loser.ask(f"resign game={game}"), "^OK")
        said = self.hero.expect(rf"^! rating game={game} ").string
        self.games.append(game)
        return self.note(said) if "counted=no" in said else None

    def note(self, answer):
        why = re.search(r"why=(\S+)", answer)
        self.refusals[why[1] if why else answer] = self.refusals.get(why[1] if why else answer, 0) + 1

    def rating(self):
        row = next((row for row in self.hero.block("rank")[0] if "pool=kja" in row), None)
        return int(re.search(r"rating=(\d+)", row)[1]) if row else None

    def play(self):
        for loser in self.losers:
            for _ in range(GAMES_EACH):
                self.win(loser)
                self.server.clock.step_ms(10000)  # new games have a budget
        return self.rating()

    def say(self, what):
        rating, why = self.rating(), ", ".join(f"{count} {word}" for word, count in self.refusals.items())
        print(f"# {what}: {rating if rating is not None else 'no rating'}"
              + (f" (did not count or were refused: {why})" if why else ""))

    def stop(self):
        assert self.server.stop() == 0, "the server ended with another status"


def is_between(rating, low, high):
    assert rating is not None and low <= rating <= high, f"the rating is {rating}"


def ratings_of_all(farm):
    """What a guest is told of everybody."""
    guest = Player(farm.server)
    expect(guest.ask("login"), "^OK")
    return [guest.block(f"rank {player.name}")[0] for player in [farm.hero, *farm.losers]]


def verified(farm):
    done = subprocess.run([JANGGID, "verify", "--data", farm.server.data], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def killed_and_changed(farm):
    """kill -9, and the ratings are the same; janggid verify computes them again, and notices a changed one."""
    before = ratings_of_all(farm)
    farm.server.stop(signal.SIGKILL)
    expect(verified(farm), rf"ratings={THROWAWAYS * GAMES_EACH} damaged=0")
    farm.server.start()
    assert ratings_of_all(farm) == before, "the ratings are others after kill -9"
    farm.stop()
    file = sqlite3.connect(os.path.join(farm.server.data, "janggid.db"))
    file.execute("UPDATE rating SET red_rating = red_rating + 100 WHERE seq = 30")
    file.commit()
    file.close()
    expect(verified(farm), "damaged rating=30 : it and the rows after it were changed")


def without_the_rules_twenty_accounts_make_a_champion(directory):
    """The control: the host vouches for all of them, and lets games from one address count."""
    farm = Farm(directory, "--rated-same-address", "on", members="all")
    is_between(farm.play(), 2000, 2300)
    farm.say("without the rules")
    killed_and_changed(farm)


def fresh_accounts_play_no_rated_games(directory):
    farm = Farm(directory, members=("newcomer",))
    assert farm.play() is None, "a game of accounts that are younger than a day counts"
    farm.say("accounts of the same day")
    expect(str(farm.refusals), "'rated'")
    farm.stop()


def games_from_one_address_do_not_count(directory):
    farm = Farm(directory, age_ms=DAY_MS + 1000)
    if farm.play() is not None or set(farm.refusals) != {"address"}:
        raise AssertionError(f"a game of two players at one address counts: {farm.refusals}")
    farm.say("accounts of the day before, at the newcomer's address")
    farm.stop()


def one_network_makes_five_names_an_hour(directory):
    server = Server(os.path.join(directory, "data"), "--quotas", "on", is_stepped=True)
    made = 0
    for number in range(THROWAWAYS):
        player = Player(server, source="127.0.9.1")
        made += player.ask(f"login throwaway{number}").startswith("OK")
        player.cut()
    print(f"# new names of one network at once: {made} of {THROWAWAYS}")
    assert made == 5, f"{made} names were made"
    server.stop()


def names_need_an_invitation_unless_the_host_opens_the_door(directory):
    server = Server(os.path.join(directory, "data"), "--access", "invited")
    stranger = Player(server, source="127.0.0.1")
    expect(stranger.ask("login throwaway"), "^ERR entry why=invitation")
    server.stop()


def what_is_left_is_annulled(directory):
    """On an open server, with twenty networks and a day of patience: the host takes it back, and nothing is left."""
    farm = Farm(directory, are_apart=True, age_ms=DAY_MS + 1000)
    farm.play()
    is_between(farm.rating(), 1900, 2300)
    farm.say("accounts of the day before, each of another network")
    for game in farm.games:
        farm.server.ctl("annul", str(game), "arranged")
    assert farm.rating() is None, "annulled games are still in the rating"
    farm.say("after the host has annulled these games")
    farm.stop()


if __name__ == "__main__":
    sys.exit(run([without_the_rules_twenty_accounts_make_a_champion, fresh_accounts_play_no_rated_games,
                  games_from_one_address_do_not_count, one_network_makes_five_names_an_hour,
                  names_need_an_invitation_unless_the_host_opens_the_door, what_is_left_is_annulled]))
