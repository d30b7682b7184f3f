#!/usr/bin/env python3
"""Checks the findings of sslscan about a server: only TLS 1.3, no weak cipher, no weak group.

    python3 tests/interop/scan.py BUILD
"""
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from hosting import Server, must_fail, run  # noqa: E402

LEAST_BITS = 128  # of a cipher, of a group and of the server's key
GOOD_STRENGTHS = ("strong", "acceptable")  # not weak, null or anonymous


def scan(port):
    """sslscan's findings."""
    done = subprocess.run(["sslscan", "--no-colour", "--xml=-", f"127.0.0.1:{port}"], timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    found = xml.fromstring(done.stdout).find("ssltest")
    assert found is not None and found.find("cipher") is not None, "sslscan found no cipher at all"
    return found


def faults(found):
    """Returns the faults in the findings, in words."""
    versions = [f"{each.get('type')} {each.get('version')}" for each in found.iter("protocol")
                if each.get("enabled") == "1"]
    wrong = [] if versions == ["tls 1.3"] else [f"versions: {', '.join(versions)}"]
    wrong += [f"cipher {each.get('cipher')}: {each.get('strength')}, {each.get('bits')} bits"
              for each in found.iter("cipher")
              if int(each.get("bits")) < LEAST_BITS or each.get("strength") not in GOOD_STRENGTHS]
    wrong += [f"group {each.get('name')}: {each.get('bits')} bits" for each in found.iter("group")
              if int(each.get("bits")) < LEAST_BITS]
    wrong += [f"key of {each.get('bits')} bits" for each in found.iter("pk") if int(each.get("bits")) < LEAST_BITS]
    wrong += ["renegotiation" for each in found.iter("renegotiation") if each.get("supported") == "1"]
    wrong += ["heartbleed" for each in found.iter("heartbleed") if each.get("vulnerable") == "1"]
    return wrong


def judge(port):
    wrong = faults(scan(port))
    assert not wrong, "; ".join(wrong)


def weak_server(directory):
    """OpenSSL's server with TLS 1.2 and a cipher that proves no identity. (process, port)"""
    key, cert = os.path.join(directory, "key.pem"), os.path.join(directory, "cert.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-days", "2", "-subj", "/CN=weak", "-keyout", key, "-out", cert],
                   check=True, stderr=subprocess.DEVNULL)
    process = subprocess.Popen(["openssl", "s_server", "-accept", "127.0.0.1:0", "-key", key, "-cert", cert, "-tls1_2",
                                "-cipher", "ECDHE-ECDSA-AES128-GCM-SHA256:AECDH-AES128-SHA:@SECLEVEL=0"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    line = next(line for line in process.stdout if line.startswith("ACCEPT "))
    return process, int(line.rsplit(":", 1)[1])


def sslscan_finds_tls_1_3_alone(directory, is_control=False):
    if is_control:
        process, port = weak_server(directory)
        try:
            judge(port)
        finally:
            process.kill()
            process.communicate()
        return
    for web in ("off", "play"):
        with Server(os.path.join(directory, web), "--web", web) as server:
            judge(server.port)


if not shutil.which("sslscan"):
    print("ok sslscan_finds_tls_1_3_alone # SKIP sslscan is not installed")
    sys.exit(0)
sys.exit(run([sslscan_finds_tls_1_3_alone, must_fail(sslscan_finds_tls_1_3_alone)]))
