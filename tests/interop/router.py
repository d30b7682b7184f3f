#!/usr/bin/env python3
"""A server at home behind a router: network namespaces for the home, the router with Debian's miniupnpd,
and the internet. A friend outside plays through the port that the router forwards.

    python3 tests/interop/router.py BUILD_DIR [TEST ...]

Needs root, ip, nsenter, nft and miniupnpd; says so and skips where they are missing.
"""
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from hosting import JANGGI, JANGGID, PATIENCE_S, expect, run

NFT = """table inet mini {
  chain forward { type filter hook forward priority 0; policy accept; }
  chain prerouting { type nat hook prerouting priority -100; policy accept; }
  chain postrouting { type nat hook postrouting priority 100; policy accept; }
}"""
CONFIG = """ext_ifname=wan0
listening_ip=lan0
enable_upnp=yes
enable_natpmp={natpmp}
min_lifetime=2
secure_mode=yes
uuid=00000000-0000-0000-0000-000000000000
upnp_table_name=mini
upnp_nat_table_name=mini
upnp_forward_chain=forward
upnp_nat_chain=prerouting
upnp_nat_postrouting_chain=postrouting
{more}
"""
ALLOW = "allow 1024-65535 0.0.0.0/0 1024-65535"


def until(question, words):
    """Waits for an answer that is true."""
    end = time.monotonic() + PATIENCE_S
    while not (answer := question()):
        assert time.monotonic() <= end, f"never: {words}"
        time.sleep(0.05)
    return answer


class Space:
    """A network namespace, held by a process."""

    def __init__(self):
        self.holder = subprocess.Popen(["unshare", "-n", "sleep", "3600"], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL)
        until(lambda: os.readlink(f"/proc/{self.holder.pid}/ns/net") != os.readlink("/proc/self/ns/net"),
              "a network namespace")
        self.do("ip", "link", "set", "lo", "up")

    def words(self, *words):
        return ["nsenter", "-t", str(self.holder.pid), "-n", *words]

    def do(self, *words, **more):
        return subprocess.run(self.words(*words), check=True, text=True, capture_output=True,
                              stdin=None if "input" in more else subprocess.DEVNULL, **more).stdout

    def start(self, *words, **more):
        return subprocess.Popen(self.words(*words), stdin=subprocess.DEVNULL, text=True, **more)

    def set(self, device, address):
        self.do("ip", "addr", "add", address, "dev", device)
        self.do("ip", "link", "set", device, "up")


class World:
    """Home, router and internet; the server runs at home."""

    def __init__(self, directory, wan="9.9.9", has_daemon=True, natpmp="yes", more=ALLOW):
        self.directory, self.wan = directory, wan
        self.home, self.router, self.outside = Space(), Space(), Space()
        self.processes = []
        try:
            self.build(natpmp if has_daemon else None, more)
        except BaseException:
            self.end()
            raise

    def build(self, natpmp, more):
        for device, end in (("lan0", self.home), ("wan0", self.outside)):
            self.router.do("ip", "link", "add", device, "type", "veth", "peer", "name", "eth0", "netns",
                           str(end.holder.pid))
        self.router.set("lan0", "192.168.77.1/24")
        self.router.set("wan0", f"{self.wan}.1/24")
        self.home.set("eth0", "192.168.77.2/24")
        self.outside.set("eth0", f"{self.wan}.9/24")
        self.home.do("ip", "route", "add", "default", "via", "192.168.77.1")
        self.router.do("sysctl", "-qw", "net.ipv4.ip_forward=1")
        self.router.do("nft", "-f", "-", input=NFT)
        if natpmp is not None:
            self.start_daemon(natpmp, more)

    def start_daemon(self, natpmp, more):
        path = os.path.join(self.directory, "miniupnpd")
        with open(path + ".conf", "w", encoding="utf-8") as file:
            file.write(CONFIG.format(natpmp=natpmp, more=more))
        with open(path + ".log", "w", encoding="utf-8") as log:
            self.processes.append(self.router.start("miniupnpd", "-d", "-f", path + ".conf", "-P",
                                                    path + ".pid", stdout=log, stderr=log))
        ready = "NAT-PMP/PCP traffic on port" if natpmp == "yes" else "HTTP listening on port"
        until(lambda: ready in open(path + ".log", encoding="utf-8").read(), "miniupnpd listens")

    def start_server(self, *options, pass_fds=()):
        self.log = os.path.join(self.directory, "server")
        with open(self.log + ".out", "w", encoding="utf-8") as out, open(self.log + ".err", "w", encoding="utf-8") as err:
            self.server = self.home.start(JANGGID, "--allow-root", "--data", os.path.join(self.directory, "d"),
                                          "--listen", ":9032", "--access", "open", "--invite", *options,
                                          stdout=out, stderr=err, pass_fds=pass_fds)
        self.processes.append(self.server)

    def said(self, pattern):
        """Waits for a line of the server's standard output."""
        def look():
            with open(self.log + ".out", encoding="utf-8") as out:
                return re.search(pattern, out.read(), re.M)
        return until(look, pattern)

    def is_mapped(self):
        return "dnat" in self.router.do("nft", "list", "chain", "inet", "mini", "prerouting")

    def stop_server(self):
        self.server.send_signal(signal.SIGTERM)
        status = self.server.wait(PATIENCE_S)
        assert status == 0, f"the server ended with {status}"

    def visit(self, link):
        """The line that is printed for a friend outside."""
        home = os.path.join(self.directory, "friend")
        os.makedirs(home, exist_ok=True)
        return self.outside.do(JANGGI, "--plain", "-n", "kim", "-c", "games; quit", link, timeout=PATIENCE_S,
                               env=dict(os.environ, HOME=home))

    def end(self):
        for process in self.processes + [space.holder for space in (self.home, self.router, self.outside)]:
            if process.poll() is None:
                process.kill()
            process.wait()


def in_world(**options):
    """The test gets a world."""
    def wrap(test):
        def wrapped(directory):
            world = World(directory, **options)
            try:
                test(world)
            finally:
                world.end()
        wrapped.__name__ = test.__name__
        return wrapped
    return wrap


def friend_plays(world):
    world.said(r"^  janggi janggi://192\.168\.77\.2:9032/join/")  # for the same network
    world.said(r"^Your router forwards 9\.9\.9\.1:9032 to this server")
    link = world.said(r"^Send this line to an opponent outside.*\n\n  janggi (janggi://9\.9\.9\.1:9032/join/\S+)")[1]
    assert world.is_mapped(), "the router has no such rule"
    expect(world.visit(link), "Hello kim|seat|kim")
    world.stop_server()
    assert not world.is_mapped(), "the port was not given back"


def outside_link(world, kind, *words):
    """The link for outside, below the line that the host gets for the same network."""
    lines = world.home.do(JANGGID, "ctl", *words, "--data", os.path.join(world.directory, "d"))
    return expect(lines, r"From outside your network, the link in that line is:\n\n  (janggi://9\.9\.9\.1:9032/"
                         + kind + r"/[\w-]+)\n")[1]


@in_world()
def a_friend_outside_comes_in_by_nat_pmp(world):
    world.start_server()
    world.said("^Your router forwards")
    lines = world.home.do(JANGGID, "ctl", "invite", "--data", os.path.join(world.directory, "d"))
    expect(lines, r"janggi://192\.168\.77\.2:9032/join/")
    expect(lines, r"janggi://9\.9\.9\.1:9032/join/")
    door = outside_link(world, r"enter/[0-9A-Z-]+", "invite", "door")
    expect(world.visit(door), "Hello kim")
    outside_link(world, r"owner/[\w-]+", "owner")
    outside_link(world, "watch", "reset", "kim")
    friend_plays(world)


@in_world(natpmp="no")
def a_friend_outside_comes_in_by_upnp(world):
    world.start_server()
    friend_plays(world)


@in_world()
def a_lease_is_renewed(world):
    world.start_server("--limits", "map-port-s=2")
    world.said("^Your router forwards")
    world.router.do("nft", "flush", "chain", "inet", "mini", "prerouting")
    until(world.is_mapped, "a rule again")
    world.stop_server()


DESCRIPTORS_OF_SELECT = 1024


def with_many_connections(world):
    """The descriptors of the server's sockets are then above those that select() can take."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(DESCRIPTORS_OF_SELECT + 50)]
    try:
        world.start_server(pass_fds=held)
        world.said("^Your router forwards")
        world.stop_server()
    finally:
        for one in held:
            os.close(one)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert not world.is_mapped(), "the port was not given back"


@in_world()
def nat_pmp_does_not_care_how_many_are_connected(world):
    with_many_connections(world)


@in_world(natpmp="no")
def upnp_does_not_care_how_many_are_connected(world):
    with_many_connections(world)


# miniupnpd does not tell a private address of its own; other routers do. By RFC 6886.
CARRIERS_ROUTER = """import socket, struct
with socket.socket(type=socket.SOCK_DGRAM) as port:
    port.bind(("192.168.77.1", 5351))
    print("ready", flush=True)
    while True:
        asked, caller = port.recvfrom(64)
        answer = struct.pack("!BBHI", 0, 128 + asked[1], 0, 1)
        if asked[1] == 0:
            answer += socket.inet_aton("100.64.7.1")
        else:
            answer += asked[4:8] + asked[8:12]
        port.sendto(answer, caller)
"""


@in_world(wan="100.64.7", has_daemon=False)
def a_carriers_address_is_of_no_use(world):
    router = world.router.start(sys.executable, "-c", CARRIERS_ROUTER, stdout=subprocess.PIPE)
    world.processes.append(router)
    router.stdout.readline()
    world.start_server()
    world.said(r"^Nobody outside .* router's own address, 100\.64\.7\.1, is private")
    world.stop_server()


@in_world(wan="100.64.7")
def a_router_that_does_not_tell_its_private_address_refuses(world):
    world.start_server()
    world.said(r"^Nobody outside .* your router refused port 9032 .*\n.* no public address itself")
    world.stop_server()


@in_world(more="deny 0-65535 0.0.0.0/0 0-65535")
def a_router_that_refuses_is_quoted(world):
    world.start_server()
    world.said(r"^Nobody outside .* your router refused port 9032 \((UPnP|NAT-PMP)\)")
    world.stop_server()


# By NAT-PMP the router would give another port.
@in_world(natpmp="no")
def a_port_of_another_machine_is_taken(world):
    world.start_server()
    world.said("^Your router forwards")
    world.server.kill()
    world.server.wait()
    world.home.do("ip", "addr", "del", "192.168.77.2/24", "dev", "eth0")
    world.home.set("eth0", "192.168.77.3/24")
    world.home.do("ip", "route", "add", "default", "via", "192.168.77.1")
    world.start_server()
    world.said(r"^Nobody outside .* your router forwards port 9032 to another address .*\(UPnP\)\.\n.*--listen")
    world.stop_server()


@in_world(has_daemon=False)
def a_silent_router_is_reported(world):
    world.start_server()
    world.said(r"^Nobody outside .* no router answered")
    world.stop_server()


@in_world()
def off_asks_nobody(world):
    world.start_server("--map-port", "off")
    world.said("^Ctrl-C stops")
    world.stop_server()
    with open(world.log + ".err", encoding="utf-8") as err:
        assert "portmap" not in err.read(), "the router was asked"
    assert not world.is_mapped(), "the port is forwarded"


def missing():
    """Returns why these tests cannot run here, or None."""
    for program in ("unshare", "nsenter", "ip", "nft", "miniupnpd"):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    if os.geteuid() != 0 or subprocess.run(["unshare", "-n", "true"], stderr=subprocess.DEVNULL,
                                           check=False).returncode != 0:
        return "network namespaces need root"
    linked = subprocess.run(["ldd", JANGGID], text=True, capture_output=True, check=False).stdout
    if "libnatpmp" not in linked or "libminiupnpc" not in linked:
        return "this build has no libnatpmp or libminiupnpc"
    return None


TESTS = [a_friend_outside_comes_in_by_nat_pmp, a_friend_outside_comes_in_by_upnp, a_lease_is_renewed,
         nat_pmp_does_not_care_how_many_are_connected, upnp_does_not_care_how_many_are_connected,
         a_carriers_address_is_of_no_use,
         a_router_that_does_not_tell_its_private_address_refuses, a_router_that_refuses_is_quoted,
         a_port_of_another_machine_is_taken, a_silent_router_is_reported,
         off_asks_nobody]

if __name__ == "__main__":
    why = missing()
    if why is not None:
        print(f"ok a_friend_outside_comes_in # SKIP NOT TESTED: {why}")
        sys.exit(0)
    sys.exit(run(TESTS))
