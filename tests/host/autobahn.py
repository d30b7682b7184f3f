"""The cases of the Autobahn test suite, by their numbers, without the measurements (9) and compression (12, 13). It asks
a server to send back what it got. Ours answers commands, so a text here is a command, with what the case wants in it, and
the answer proves that it has come whole. Two things differ, on purpose: binary data is refused with 1003, because
everything is lines; and so is with 1009 what is longer than a line.
"""
import re

from websocket import frame  # tests/lib

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
FIN = 0x80
OK, ANSWER = "^OK ping", "^ERR "


def code(number):
    """A close frame with that code."""
    return "^" + re.escape(number.to_bytes(2, "big").decode("latin-1"))


def chop(data, size=1):
    return [data[i:i + size] for i in range(0, len(data), size)]


def parts(texts, between=b""):
    """A message in fragments."""
    last = len(texts) - 1
    return b"".join(frame(text, (TEXT if i == 0 else 0) | (FIN if i == last else 0)) + (between if i < last else b"")
                    for i, text in enumerate(texts))


def octets(text):
    return parts([bytes([octet]) for octet in text])


def sized(size):
    return frame(b"ping".ljust(size))


def close(number, why=b""):
    return frame(number.to_bytes(2, "big") + why, FIN | CLOSE)


def utf8(*texts):
    """Each text in a frame, where any answer but a close will do."""
    return [([frame(b"say game=1 " + text)], [ANSWER]) for text in texts]


def not_utf8(*texts):
    return [([frame(b"say game=1 " + text)], [code(1007)]) for text in texts]


def section(number, cases):
    return [(f"{number}.{i}", *case) for i, case in enumerate(cases, 1)]


def ones(first, *numbers):
    return [chr(number).encode("utf-8", "surrogatepass") for number in (first, *numbers)]


def cases():
    """(number, the bytes that are sent, a pattern for each frame that must come)."""
    whole, two = frame(b"ping"), [b"pi", b"ng"]
    ping, kosme = frame(b"hi", FIN | PING), b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5"
    broken = kosme + b"\xed\xa0\x80edited"
    hello = "say game=1 Hello-µ@ßöäüàá-UTF-8!!".encode()
    texts = [([frame(b""), whole], [OK]), *(([sized(size)], [OK]) for size in (125, 126, 127, 128)),
             *((sent, [code(1009)]) for sent in ([sized(65535)], [sized(65536)], chop(sized(65536), 997)))]
    binary = [([frame(bytes(size), FIN | BINARY)[:14]], [code(1003)]) for size in (0, 125, 126, 127, 128, 65535, 65536, 65536)]
    pings = [([frame(b"", FIN | PING)], ["^$"]), ([frame(b"Hello, world!", FIN | PING)], ["^Hello, world!$"]),
             ([frame(b"\x00\xff\xfe\xfd\xfc\xfb\x00\xff", FIN | PING)], ["^\x00\xff\xfe\xfd\xfc\xfb\x00\xff$"]),
             ([frame(b"\xfe" * 125, FIN | PING)], ["^\xfe{125}$"]), ([frame(b"\xfe" * 126, FIN | PING)], [code(1002)]),
             (chop(frame(b"\xfe" * 125, FIN | PING)), ["^\xfe{125}$"]), ([frame(b"", FIN | PONG), whole], [OK]),
             ([frame(b"unasked", FIN | PONG), whole], [OK]), ([frame(b"unasked", FIN | PONG), ping], ["^hi$"]),
             *((sent(b"".join(frame(b"%d" % i, FIN | PING) for i in range(10))), [f"^{i}$" for i in range(10)])
               for sent in (lambda data: [data], chop))]
    reserved = [([frame(b"ping", FIN | 0x10 | TEXT)], [code(1002)]), ([whole, frame(b"ping", FIN | 0x20 | TEXT), ping], [OK, code(1002)]),
                ([whole, frame(b"ping", FIN | 0x30 | TEXT), ping], [OK, code(1002)]),
                ([whole, *chop(frame(b"ping", FIN | 0x40 | TEXT))], [OK, code(1002)]),
                ([frame(bytes(8), FIN | 0x50 | BINARY)], [code(1002)]), ([frame(b"hi", FIN | 0x60 | PING)], [code(1002)]),
                ([frame(b"", FIN | 0x70 | CLOSE)], [code(1002)])]
    opcodes = [[([frame(b"", FIN | first)], [code(1002)]), ([frame(b"odd", FIN | first + 1)], [code(1002)]),
                ([whole, frame(b"", FIN | first + 2), ping], [OK, code(1002)]),
                ([whole, frame(b"odd", FIN | first + 3), ping], [OK, code(1002)]),
                ([whole, *chop(frame(b"odd", FIN | first + 4)), ping], [OK, code(1002)])] for first in (3, 11)]
    nothing = [frame(b"odd", FIN), frame(b"odd", 0)]
    five = [b"pi", b"n", b"g", b" ", b" "]
    fragments = [([frame(b"a", PING) + frame(b"b", FIN)], [code(1002)]), ([frame(b"a", PONG) + frame(b"b", FIN)], [code(1002)]),
                 ([parts(two)], [OK]), ([frame(b"pi", TEXT), frame(b"ng", FIN)], [OK]), (chop(parts(two)), [OK]),
                 ([parts(two, ping)], ["^hi$", OK]), ([frame(b"pi", TEXT), ping, frame(b"ng", FIN)], ["^hi$", OK]),
                 (chop(parts(two, ping)), ["^hi$", OK]),
                 *((sent(odd + whole), [code(1002)]) for odd in nothing
                   for sent in (lambda data: [data], lambda data: chop(data, 7), chop)),
                 ([parts(two) + frame(b"odd", 0) + whole], [OK, code(1002)]),
                 ([(frame(b"odd", 0) + parts(two)) * 2], [code(1002)]), ([(frame(b"odd", FIN) + parts(two)) * 2], [code(1002)]),
                 ([frame(b"pi", TEXT) + frame(b"ng", FIN | TEXT)], [code(1002)]),
                 *((sent(frame(five[0], TEXT) + frame(five[1], 0) + ping + frame(five[2], 0) + frame(five[3], 0) + ping + frame(five[4], FIN)),
                    ["^hi$", "^hi$", OK]) for sent in (lambda data: [data], chop))]
    fast = [parts([b"say game=1 " + kosme, tail, b"edited"]) for tail in (b"\xf4\x90\x80\x80", b"\xf4\x90")]
    closed = [([whole, close(1000)], [OK, code(1000)]), ([close(1000) * 2], [code(1000)]), ([close(1000), ping], [code(1000)]),
              ([close(1000), whole], [code(1000)]), ([frame(b"pi", TEXT), close(1000), frame(b"ng", FIN)], [code(1000)]),
              ([sized(262144)[:14]], [code(1009)])]
    payloads = [([frame(b"", FIN | CLOSE)], ["^$"]), ([frame(b"\x03", FIN | CLOSE)], [code(1002)]), ([close(1000)], [code(1000)]),
                ([close(1000, b"Hello World!")], [code(1000)]), ([close(1000, b"*" * 123)], [code(1000)]), ([close(1000, b"*" * 124)], [code(1002)])]
    planes = [plane * 0x10000 + low for plane in range(17) for low in (0xfffe, 0xffff)]
    found = {
        "1.1": texts, "1.2": binary, "2": pings, "3": reserved, "4.1": opcodes[0], "4.2": opcodes[1], "5": fragments,
        "6.1": [([frame(b""), whole], [OK]), ([parts([b"", b"", b""]), whole], [OK]), ([parts([b"", b"ping", b""])], [OK])],
        "6.2": [([frame(hello)], [ANSWER]), ([parts([hello[:17], hello[17:]])], [ANSWER]), ([octets(hello)], [ANSWER]),
                ([octets(b"say game=1 " + kosme)], [ANSWER])],
        "6.3": [([frame(broken)], [code(1007)]), ([octets(broken)], [code(1007)])],
        "6.4": [*(([sent], [code(1007)]) for sent in fast), *((chop(sent, 9), [code(1007)]) for sent in fast)],
        "6.5": utf8(*(kosme + tail + b"edited" for tail in (b"", "\u0800".encode(), b" ", "한".encode(), "\U0001f600".encode()))),
        "6.6": [case for end in range(1, 12) for case in (utf8 if end in (2, 5, 7, 9, 11) else not_utf8)(kosme[:end])],
        "6.7": utf8(*ones(0, 0x80, 0x800, 0x10000)), "6.8": not_utf8(b"\xf8\x88\x80\x80\x80", b"\xfc\x84\x80\x80\x80\x80"),
        "6.9": utf8(*ones(0x7f, 0x7ff, 0xffff, 0x10ffff)),
        "6.10": not_utf8(b"\xf7\xbf\xbf\xbf", b"\xfb\xbf\xbf\xbf\xbf", b"\xfd\xbf\xbf\xbf\xbf\xbf"),
        "6.11": utf8(*ones(0xd7ff, 0xe000, 0xfffd, 0x10ffff)) + not_utf8(b"\xf4\x90\x80\x80"),
        "6.12": not_utf8(b"\x80", b"\xbf", *((b"\x80\xbf" * 4)[:size] for size in range(2, 7)), bytes(range(0x80, 0xbf))),
        "6.13": not_utf8(*(b" ".join(bytes([start]) for start in range(*ends)) + b" " for ends in
                           ((0xc0, 0xe0), (0xe0, 0xf0), (0xf0, 0xf8), (0xf8, 0xfc), (0xfc, 0xfe)))),
        "6.14": not_utf8(b"\xc0", b"\xe0\x80", b"\xf0\x80\x80", b"\xf8\x80\x80\x80", b"\xfc\x80\x80\x80\x80",
                         b"\xdf", b"\xef\xbf", b"\xf7\xbf\xbf", b"\xfb\xbf\xbf\xbf", b"\xfd\xbf\xbf\xbf\xbf"),
        "6.15": not_utf8(b"\xc0\xe0\x80\xf0\x80\x80\xf8\x80\x80\x80\xfc\x80\x80\x80\x80\xdf\xef\xbf\xf7\xbf\xbf"),
        "6.16": not_utf8(b"\xfe", b"\xff", b"\xfe\xfe\xff\xff"),
        "6.17": not_utf8(b"\xc0\xaf", b"\xe0\x80\xaf", b"\xf0\x80\x80\xaf", b"\xf8\x80\x80\x80\xaf", b"\xfc\x80\x80\x80\x80\xaf"),
        "6.18": not_utf8(b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xf0\x8f\xbf\xbf", b"\xf8\x87\xbf\xbf\xbf", b"\xfc\x83\xbf\xbf\xbf\xbf"),
        "6.19": not_utf8(b"\xc0\x80", b"\xe0\x80\x80", b"\xf0\x80\x80\x80", b"\xf8\x80\x80\x80\x80", b"\xfc\x80\x80\x80\x80\x80"),
        "6.20": not_utf8(*ones(0xd800, 0xdb7f, 0xdb80, 0xdbff, 0xdc00, 0xdf80, 0xdfff)),
        "6.21": not_utf8(*(b"".join(ones(high, low)) for high in (0xd800, 0xdb7f, 0xdb80, 0xdbff) for low in (0xdc00, 0xdfff))),
        "6.22": utf8(*ones(*planes)), "6.23": utf8(*ones(0xfff9, 0xfffa, 0xfffb, 0xfffc, 0xfffd, 0xfffe, 0xffff)),
        "7.1": closed, "7.3": payloads, "7.5": [([close(1000, broken)], [code(1007)])],
        "7.7": [([close(number)], [code(number)]) for number in (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999)],
        "7.9": [([close(number)], [code(1002)]) for number in (0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999)],
        "7.13": [([close(number)], [code(1002)]) for number in (5000, 65535)],
    }
    return [case for number, each in found.items() for case in section(number, each)]
