"""A browser's end of the WebSocket, without a browser: requests of HTTP, and lines in frames.
Standard library only.
"""
import base64
import os
import ssl

SUBPROTOCOL = "janggi.1"


def tls_context():
    """TLS as a browser offers it, without its judgement of certificates."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2", "http/1.1"])
    return context


def upgrade(host, origin=None, path="/ws", **changes):
    """The request that makes a connection a WebSocket. A change of None leaves that line out; the
    names are those of the header lines, in small letters and with _ for -."""
    headers = {"host": host, "origin": origin or f"https://{host}", "upgrade": "websocket",
               "connection": "Upgrade", "sec_websocket_version": "13",
               "sec_websocket_key": base64.b64encode(os.urandom(16)).decode(),
               "sec_websocket_protocol": SUBPROTOCOL, **changes}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items() if value]
    return "\r\n".join([f"GET {path} HTTP/1.1", *lines, "", ""]).encode()


def frame(payload, first=0x81, mask=None):
    """Returns a masked frame. first: its first byte, by default that of a text."""
    mask = mask or os.urandom(4)
    size = len(payload)
    if size < 126:
        head = bytes([first, 0x80 | size])
    elif size < 65536:
        head = bytes([first, 0x80 | 126]) + size.to_bytes(2, "big")
    else:
        head = bytes([first, 0x80 | 127]) + size.to_bytes(8, "big")
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


def frames_of(lines):
    """Whole lines as frames, without their ends."""
    return b"".join(frame(line) for line in lines.split(b"\n")[:-1])


class Frames:
    """Bytes of a server, cut into (first byte, payload)."""

    def __init__(self):
        self.bytes = b""

    def add(self, received):
        self.bytes += received

    def take(self):
        """The next frame, or None while it is not whole."""
        size = self.bytes[1] if len(self.bytes) > 1 else 0
        more = {126: 2, 127: 8}.get(size, 0)
        if len(self.bytes) < 2 + more:
            return None
        if more:
            size = int.from_bytes(self.bytes[2:2 + more], "big")
        end = 2 + more + size
        if len(self.bytes) < end:
            return None
        found = self.bytes[0], self.bytes[2 + more:end]
        self.bytes = self.bytes[end:]
        return found


class Reader:
    """Lines from the frames that an asyncio reader brings."""

    def __init__(self, reader):
        self.reader, self.frames = reader, Frames()

    async def readline(self):
        while True:
            found = self.frames.take()
            if found is not None and found[0] == 0x81:
                return found[1] + b"\n"
            if found is not None and found[0] == 0x88:
                return b""
            if found is None:
                received = await self.reader.read(65536)
                if not received:
                    return b""
                self.frames.add(received)


class Writer:
    """Lines into frames, for an asyncio writer."""

    def __init__(self, writer):
        self.writer, self.transport = writer, writer.transport

    def write(self, data):
        self.writer.write(frames_of(data))

    def close(self):
        self.writer.write(frame(b"\x03\xe8", 0x88))
        self.writer.close()

    async def drain(self):
        await self.writer.drain()

    async def wait_closed(self):
        await self.writer.wait_closed()


async def open_asyncio(reader, writer, host):
    """Makes a connection a WebSocket. Returns a reader and a writer of lines."""
    writer.write(upgrade(host))
    head = await reader.readuntil(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 101 "):
        raise OSError(f"no WebSocket: {head[:60]!r}")
    return Reader(reader), Writer(writer)
