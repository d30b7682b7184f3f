#!/usr/bin/env python3
"""A bot for a janggid server, written from PROTOCOL.md alone. It plays a random legal move.

    python3 bot.py HOST:PORT NAME [--token-file FILE] [--seed SEED] [--join CODE | --seek TERMS]

It goes on with a game of its own if there is one; otherwise it takes the invitation CODE, or seeks a
game. It plays to the end, whatever happens to the connection, prints one line for each event, and
ends. The token that proves its name is kept in a file. It does not check the server's key: connect
it to a server that you trust.
"""

import argparse
import collections
import os
import random
import re
import socket
import ssl
import sys
import time

FIRST_MOVER = {"martin": "red", "courier": "red", "vchess": "red", "kja": "blue"}
OTHER = {"red": "blue", "blue": "red"}


def value(line, key):
    """Of key=value in a line, up to its words for people."""
    found = re.search(rf' {key}=("[^"]*"|\S+)', line.split(" : ")[0])
    return found and found[1].strip('"')


class Lost(Exception):
    """The connection has ended."""


class Bot:
    def __init__(self, address, name, token_file, wish, seed):
        host, _, port = address.rpartition(":")
        self.address, self.name = (host, int(port)), name
        self.token_file, self.wish, self.random = token_file, wish, random.Random(seed)
        self.lineup = self.random.choice(["NBBN", "BNBN", "NBNB", "BNNB"])
        self.game = self.side = self.turn = self.result = None
        self.events = self.plies = 0
        self.caught_up_at = 0  # the number of events to wait for before acting
        self.pending = None  # (ply, move) that was sent, until its event comes

    # --- The connection

    def connect(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols(["janggi/1"])
        plain = socket.create_connection(self.address, 10)
        self.socket = context.wrap_socket(plain)
        self.socket.settimeout(60)
        self.file = self.socket.makefile("r", encoding="utf-8", newline="\n")
        self.asked = collections.deque()  # answers come in the order of the commands
        if not self.read().startswith("* janggi/1"):
            raise Lost

    def read(self):
        line = self.file.readline()
        if not line.endswith("\n"):
            raise Lost
        return line.rstrip("\r\n")

    def send(self, command, on_answer=lambda answer: None):
        self.asked.append((command, on_answer))
        self.socket.sendall(f"{command}\n".encode())

    def play(self):
        """Connects as often as it must, until the game is over."""
        while self.result is None:
            try:
                self.connect()
                self.log_in()
                while self.result is None:
                    self.take(self.read())
            except (OSError, Lost):
                print("connection lost", flush=True)
                time.sleep(0.2)
        self.send("quit")
        return self.result

    # --- Lines

    def take(self, line):
        mark = line.split(" ")[0]
        if mark in ("OK", "ERR"):
            command, on_answer = self.asked.popleft()
            if line.startswith("ERR slow-down"):
                time.sleep(int(value(line, "retry")))
                self.send(command, on_answer)
            else:
                on_answer(line)
        elif line.startswith("! game "):
            _, _, game, number, event = line.split(" ", 4)
            self.take_event(int(game), int(number), event)
        elif line.startswith("! mine ") and value(line, "game") == str(self.game):
            self.side = value(line, "side")
        elif line.startswith("! setup ") and value(line, "side") == self.side:
            self.send(f"setup game={self.game} {self.lineup}")
        elif line.startswith("! offer ") and value(line, "by") != self.name:
            self.send(f"decline {line.split(' ')[2]}")

    # --- Coming

    def log_in(self):
        proof = ""
        if os.path.exists(self.token_file):
            with open(self.token_file) as file:
                proof = f" token={file.read()}"
        self.send(f"login {self.name}{proof}", self.on_login)

    def on_login(self, answer):
        if not answer.startswith("OK"):
            sys.exit(answer)
        self.name = value(answer, "name")
        if value(answer, "token"):
            with open(self.token_file, "w") as file:
                file.write(value(answer, "token"))
        if self.game is None and value(answer, "games") != "-":
            self.game = int(value(answer, "games").split(",")[0])
        if self.game is None:
            self.send(self.wish, lambda answer: print(answer, flush=True))
        else:
            self.caught_up_at = sys.maxsize  # until the answer says how many events there are
            self.send(f"resume game={self.game} {self.events}", self.on_resume)

    def on_resume(self, answer):
        self.caught_up_at = int(value(answer, "events"))
        if self.caught_up_at == self.events:
            self.move_if_it_is_our_turn()

    # --- The game: its events, in order

    def take_event(self, game, number, event):
        if self.game is None:
            self.game = game
        if game != self.game or number != self.events:
            return
        self.events += 1
        words = event.split(" ")
        if words[0] == "start":
            self.side = "red" if value(event, "red") == self.name else "blue"
            self.first = FIRST_MOVER[value(event, "rules")]
            self.setups = 0
        elif words[0] == "setup":
            self.setups += 1
            self.turn = self.first if self.setups == 2 else None
        elif words[0] == "move":
            self.plies, self.turn = int(words[1]), OTHER[words[2]]
        elif words[0] == "takeback":
            self.plies = int(words[1])
            self.turn = self.first if self.plies % 2 == 0 else OTHER[self.first]
        elif words[0] == "end":
            self.result = " ".join(words[1:])
        print(game, number, event, flush=True)
        if self.events >= self.caught_up_at:
            self.move_if_it_is_our_turn()

    def move_if_it_is_our_turn(self):
        if self.turn != self.side or self.result is not None:
            return
        if self.pending is not None and self.pending[0] == self.plies + 1:
            self.send_move()  # it may have arrived: with its ply it is played once
        else:
            self.send(f"moves game={self.game}", self.on_moves)

    def on_moves(self, answer):
        moves = value(answer, "list").split(",")
        self.pending = (self.plies + 1, self.random.choice(moves))
        self.send_move()

    def send_move(self):
        ply, move = self.pending
        self.send(f"pass game={self.game} {ply}" if move == "pass" else
                  f"move game={self.game} {ply} {move}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("address")
    parser.add_argument("name")
    parser.add_argument("--token-file")
    parser.add_argument("--seed", help="the same seed makes the same choices")
    parser.add_argument("--join", metavar="CODE")
    parser.add_argument("--seek", default="", metavar="TERMS", help="time=10m+5s rules=martin side=red")
    options = parser.parse_args()
    bot = Bot(options.address, options.name, options.token_file or f"{options.name}.token",
              f"join {options.join}" if options.join else f"seek {options.seek}", options.seed)
    print("over:", bot.play())


if __name__ == "__main__":
    main()
