#!/usr/bin/env python3
"""Keeps `mancalab serve ssh` busy with ten OpenSSH clients and floods, and prints memory, threads and the latency of keys over time.

Usage: tests/serve/soak.py [--minutes N] [--guests N] [BINARY]

Guests open tables, play, resign, chat, analyse on their Boards, quit and are killed at random, and come back. From other addresses
(127.0.0.2 to 127.0.0.9) come silent connections, slow banners, rubbish, logins without a terminal and refused key exchanges. A guest
of its own presses a key each half second and measures the time to the first byte of the answer.
"""

import argparse
import os
import random
import select
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from measure import Client, Server, pump

KEYS = {
    "play": list("abcdefabcdef") + ["h", "u"],
    "table": ["n\r", "n" + "\x1b[B" * 5 + "\x1b[C" + "\r", "\r", "w", "R", "y", "M", "D", "L", "/hello\r"],
    "board": ["2", "i", "i", "h", "u", "N\r", "\x1b"],
}


class Guest:
    """A person who presses keys at random, leaves and comes back."""

    def __init__(self, server, name, key, chance):
        self.server, self.name, self.key, self.random = server, name, key, chance
        self.client, self.back_at, self.logins = None, 0.0, 0

    def act(self):
        now = time.monotonic()
        if self.client is None:
            if now >= self.back_at:
                self.client, self.logins = Client(self.server, self.name, self.key), self.logins + 1
            return
        what = self.random.random()
        if what < 0.004:
            return self.leave(kill=True)
        if what < 0.008:
            return self.leave(kill=False)
        kind = "play" if what < 0.7 else "board" if what < 0.85 else "table"
        prefix = "1" if kind == "table" else ""
        try:
            self.client.type(prefix + self.random.choice(KEYS[kind]))
        except OSError:
            self.leave(kill=True)

    def leave(self, kill):
        if not kill:
            try:
                self.client.type("\x1b\x1bq")
                pump([self.client], lambda: False, 0.05)
            except OSError:
                pass
        self.client.end()
        self.client, self.back_at = None, time.monotonic() + self.random.uniform(0, 4)

    def read(self):
        if self.client and not self.client.read():
            self.leave(kill=True)
        elif self.client:
            self.client.bytes = b""


def connect(port, last):
    stream = socket.socket()
    stream.bind((f"127.0.0.{last}", 0))
    stream.settimeout(5)
    stream.connect(("127.0.0.1", int(port)))
    return stream


def silent(port, last, is_over, counts):
    """Fifty connections that say nothing, opened again when they are ended."""
    held = []
    while not is_over():
        try:
            while len(held) < 50:
                held.append(connect(port, last))
                counts["silent"] += 1
            time.sleep(0.05)
            for stream in held[:]:
                stream.setblocking(False)
                try:
                    if not stream.recv(4096):
                        raise OSError
                except BlockingIOError:
                    pass
                except OSError:
                    stream.close()
                    held.remove(stream)
        except OSError:
            time.sleep(0.05)


def rubbish(port, last, is_over, counts):
    """A banner and random bytes, or a banner byte by byte."""
    chance = random.Random(last)
    while not is_over():
        try:
            stream = connect(port, last)
            counts["rubbish"] += 1
            if chance.random() < 0.5:
                stream.sendall(b"SSH-2.0-x\r\n" + chance.randbytes(chance.randrange(1, 40000)))
            else:
                for byte in b"SSH-2.0-slow-and-slower":
                    stream.sendall(bytes([byte]))
                    time.sleep(0.1)
            stream.close()
        except OSError:
            time.sleep(0.02)


def logins(server, last, is_over, counts, key, exchange):
    """Whole handshakes, without a terminal."""
    options = ["StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "IdentitiesOnly=yes", "LogLevel=ERROR",
               f"KexAlgorithms={exchange}"]
    words = [word for option in options for word in ("-o", option)]
    while not is_over():
        subprocess.run(["ssh", "-F", "none", "-T", "-b", f"127.0.0.{last}", "-p", server.port, "-i", key, *words,
                        "flood@127.0.0.1"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
        counts[exchange] += 1


def figures(times):
    ordered = sorted(times)
    rank = ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
    return f"{statistics.median(ordered):7.1f} {rank:8.1f} {ordered[-1]:8.1f} {len(ordered):5d}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--guests", type=int, default=10)
    parser.add_argument("--no-floods", action="store_true")
    parser.add_argument("binary", nargs="?", default="target/release/mancalab")
    args = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="mancalab-soak-")
    keys = [f"{folder}/key{number}" for number in range(args.guests + 2)]
    for key in keys:
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    server = Server(os.path.abspath(args.binary), folder, ["--sessions-by-address", "20"])
    over = threading.Event()
    try:
        soak(server, keys, args, over)
    finally:
        over.set()
        server.process.kill()
        shutil.rmtree(folder, ignore_errors=True)


def soak(server, keys, args, over):
    counts = dict.fromkeys(["silent", "rubbish", "curve25519-sha256", "diffie-hellman-group16-sha512"], 0)
    floods = [(silent, (server.port, last, over.is_set, counts)) for last in (2, 3, 4, 5)]
    floods += [(rubbish, (server.port, last, over.is_set, counts)) for last in (6, 7)]
    for last, exchange in [(8, "curve25519-sha256"), (9, "diffie-hellman-group16-sha512")]:
        floods.append((logins, (server, last, over.is_set, counts, keys[-1], exchange)))
    guests = [Guest(server, f"guest{at}", key, random.Random(at)) for at, key in enumerate(keys[: args.guests])]
    probe = Client(server, "probe", keys[args.guests])
    if not pump([probe], lambda: b"here" in probe.bytes, 60):
        sys.exit("the probe does not come in")
    # On the Board nothing of what the others do is drawn.
    probe.type("2")
    pump([probe], lambda: False, 1)
    for flood, arguments in [] if args.no_floods else floods:
        threading.Thread(target=flood, args=arguments, daemon=True).start()
    print("minute  RSS MiB  threads   median      p99    worst  keys   (ms)  guests  logins  processor s", flush=True)
    began, minute, times, pressed, next_key = time.monotonic(), 0, [], None, 0.0
    while (elapsed := time.monotonic() - began) < 60 * args.minutes:
        for guest in guests:
            if random.random() < 0.2:
                guest.act()
        here = [guest for guest in guests if guest.client]
        end = time.monotonic() + 0.05
        while (left := end - time.monotonic()) > 0:
            ready, _, _ = select.select([probe.fd] + [guest.client.fd for guest in here if guest.client], [], [], left)
            if probe.fd in ready:
                probe.bytes = b""
                if not probe.read():
                    sys.exit(f"the probe's session has ended after {elapsed:.0f} s")
                if pressed is not None:
                    times.append(1000 * (time.perf_counter() - pressed))
                    pressed, next_key = None, time.monotonic() + 0.5
            for guest in here:
                if guest.client and guest.client.fd in ready:
                    guest.read()
        if pressed is None and time.monotonic() >= next_key:
            pressed = time.perf_counter()
            probe.type("?")
        if pressed is not None and time.perf_counter() - pressed > 30:
            sys.exit("no answer to a key within 30 s")
        if server.process.poll() is not None:
            sys.exit(f"the server has ended with {server.process.returncode} after {elapsed:.0f} s")
        if elapsed >= 60 * (minute + 1) and times:
            minute += 1
            print(f"{minute:6d} {server.memory()[0]:8.1f} {server.threads():8d}  {figures(times)}        "
                  f"{len(here):6d} {sum(guest.logins for guest in guests):7d} {server.cpu():12.1f}", flush=True)
            times = []
    print("floods:", ", ".join(f"{count} {what}" for what, count in counts.items()))
    state = f"{server.folder}/mancalab"
    games = len(os.listdir(f"{state}/games")) if os.path.isdir(f"{state}/games") else 0
    logs = sum(os.path.getsize(f"{state}/{name}") for name in os.listdir(state) if "log" in name)
    print(f"{games} games, {logs / 1024:.0f} KiB of logs")
    over.set()
    for guest in guests:
        if guest.client:
            guest.leave(kill=True)
    time.sleep(3)
    print(f"without guests: {server.memory()[0]:.1f} MiB, {server.threads()} threads")
    began = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    print(f"SIGTERM: exit code {server.process.wait(60)} after {time.monotonic() - began:.2f} s")


main()
