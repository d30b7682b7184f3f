"""A wire that can be held and cut: relays TCP between clients and a server.

    python3 relay.py SERVER_PORT

Prints the port it listens on; then obeys the lines of standard input:

    hold up|down    nothing more goes to the server | to the clients; it waits
    flow            what waited goes on
    cut             all connections end at once, and what waited is lost
    shut            new connections are refused until "open"
    open

"done LINE" follows each, and "held up" or "held down" when something begins to wait or more does; " newest" follows if
that is of the connection that came last.
"""
import selectors
import socket
import struct
import subprocess
import sys


class Relay:
    """The relay as a process of its own."""

    def __init__(self, server_port):
        self.process = subprocess.Popen([sys.executable, __file__, str(server_port)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().split()[1])

    def do(self, words):
        self.process.stdin.write(words + "\n")
        self.process.stdin.flush()
        self.hear("done " + words)

    def hear(self, wanted):
        for line in self.process.stdout:
            if line.strip() == wanted:
                return
        raise RuntimeError("the relay has ended")

    def end(self):
        self.process.kill()
        self.process.wait()


class Side:
    """One socket, its name, and the data that waits to be written to the other one."""

    def __init__(self, sock, towards):
        self.sock, self.towards, self.other, self.waits = sock, towards, None, b""


class Wire:
    def __init__(self, server_port):
        self.server_port = server_port
        self.selector = selectors.DefaultSelector()
        self.held, self.sides = set(), []
        self.listener, self.port = None, 0
        self.open()
        self.selector.register(sys.stdin, selectors.EVENT_READ, self.obey)

    def open(self):
        if self.listener is not None:
            return
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", self.port))
        self.listener.listen(16)
        self.port = self.listener.getsockname()[1]
        self.selector.register(self.listener, selectors.EVENT_READ, self.accept)

    def shut(self):
        if self.listener is not None:
            self.selector.unregister(self.listener)
            self.listener.close()
            self.listener = None

    def accept(self):
        client, _ = self.listener.accept()
        try:
            server = socket.create_connection(("127.0.0.1", self.server_port), 5)
        except OSError:
            client.close()
            return
        up, down = Side(client, "up"), Side(server, "down")
        up.other, down.other = down, up
        for side in (up, down):
            self.sides.append(side)
            self.selector.register(side.sock, selectors.EVENT_READ,
                                   lambda side=side: self.carry(side))

    def carry(self, side):
        try:
            got = side.sock.recv(65536)
        except OSError:
            got = None
        if got is None:
            self.end(side)
        elif not got:
            self.half_end(side)
        elif side.towards in self.held:
            side.waits += got
            print(f"held {side.towards}" + (" newest" if side in self.sides[-2:] else ""), flush=True)
        else:
            self.give(side, got)

    def give(self, side, got):
        try:
            side.other.sock.sendall(got)
        except OSError:
            self.end(side)

    def half_end(self, side):
        """One end has closed its sending side: the other end sees that, and may still answer."""
        self.selector.unregister(side.sock)
        self.sides.remove(side)
        try:
            side.other.sock.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        if side.other not in self.sides:
            side.sock.close()
            side.other.sock.close()

    def end(self, side, is_hard=False):
        for one in (side, side.other):
            if one in self.sides:
                self.sides.remove(one)
                self.selector.unregister(one.sock)
                if is_hard:  # a reset: what is under way is lost
                    one.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                        struct.pack("ii", 1, 0))
                one.sock.close()

    def obey(self):
        line = sys.stdin.readline()
        words = line.split()
        if not line:
            sys.exit(0)
        elif words[0] == "hold":
            self.held.add(words[1])
        elif words[0] == "flow":
            self.held.clear()
            for side in list(self.sides):
                self.give(side, side.waits)
                side.waits = b""
        elif words[0] == "cut":
            self.held.clear()
            for side in list(self.sides):
                self.end(side, True)
        elif words[0] == "shut":
            self.shut()
        elif words[0] == "open":
            self.open()
        print("done " + line.strip(), flush=True)

    def run(self):
        print(f"port {self.port}", flush=True)
        while True:
            for key, _ in self.selector.select():
                if key.fileobj is not self.listener or self.listener is not None:
                    key.data()


if __name__ == "__main__":
    Wire(int(sys.argv[1])).run()
