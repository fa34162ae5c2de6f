#!/usr/bin/env python3
"""Measures `mancalab serve ssh` with real OpenSSH clients on loopback.

Usage: tests/serve/measure.py [--clients N] [BINARY]

Prints: the time until all clients show the lobby, the time from a key to the bytes of its frame (median, 99th percentile, worst)
alone, while guests analyse, while engines think, and with a stopped client; the server's memory; its processor time when idle; how fast all sessions
are gone after the clients are killed; and what SIGTERM does with 20 games under way.
"""

import argparse
import fcntl
import os
import pty
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

TICK = os.sysconf("SC_CLK_TCK")


WIDE = ["--sessions-by-address", "1000", "--sessions", "1000", "--logins", "1000", "--logins-by-address", "1000",
        "--login-limit", "120"]


class Server:
    def __init__(self, binary, folder, options=WIDE):
        self.folder = folder
        env = {"HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder, "PATH": os.environ["PATH"]}
        args = [binary, "serve", "ssh", "--anonymous", "--listen", "127.0.0.1:0", *options]
        self.process = subprocess.Popen(args, env=env, stdout=subprocess.PIPE, text=True)
        self.port = self.process.stdout.readline().split("127.0.0.1:")[1].split(",")[0]

    def _stat(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()

    def cpu(self):
        fields = self._stat()
        return (int(fields[11]) + int(fields[12])) / TICK

    def threads(self):
        return int(self._stat()[17])

    def memory(self):
        """Resident memory and its private part, in MiB."""
        with open(f"/proc/{self.process.pid}/smaps_rollup") as file:
            sizes = {line.split(":")[0]: int(line.split()[1]) for line in file if line.endswith("kB\n")}
        return sizes["Rss"] / 1024, (sizes["Private_Dirty"] + sizes["Private_Clean"]) / 1024


class Client:
    def __init__(self, server, name, key):
        options = ["StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "IdentitiesOnly=yes", "LogLevel=ERROR"]
        args = ["ssh", "-F", "none", "-p", server.port, "-i", key]
        args += [word for option in options for word in ("-o", option)] + [f"{name}@127.0.0.1"]
        self.name, self.bytes = name, b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "xterm-256color"
            os.environ.pop("SSH_AUTH_SOCK", None)
            os.execvp("ssh", args)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def read(self):
        try:
            more = os.read(self.fd, 1 << 16)
        except OSError:
            more = b""
        # A terminal reports its status on request.
        if requests := (self.bytes[-3:] + more).count(b"\x1b[5n"):
            os.write(self.fd, b"\x1b[0n" * requests)
        self.bytes += more
        return more

    def type(self, keys):
        os.write(self.fd, keys.encode())

    def kill(self, number=signal.SIGKILL):
        os.kill(self.pid, number)

    def end(self):
        try:
            self.kill()
        except ProcessLookupError:
            pass
        os.waitpid(self.pid, 0)
        os.close(self.fd)


def pump(clients, until, limit):
    """Reads all clients until a condition; returns whether it came true within the limit, in seconds."""
    end = time.monotonic() + limit
    while not until():
        left = end - time.monotonic()
        if left <= 0:
            return False
        ready, _, _ = select.select([client.fd for client in clients], [], [], min(left, 0.05))
        for client in clients:
            if client.fd in ready:
                client.read()
    return True


def drain(clients):
    """Reads until nothing has come for a while."""
    while select.select([client.fd for client in clients], [], [], 0.3)[0]:
        pump(clients, lambda: False, 0.02)


def latency(client, others, keys, pause=0.06):
    """The times in ms from each key to the first byte after it; the keys must change the screen."""
    times = []
    for key in keys:
        drain_until = time.monotonic() + pause
        while time.monotonic() < drain_until:
            pump([client] + others, lambda: False, 0.01)
        began = time.perf_counter()
        client.type(key)
        if not select.select([client.fd], [], [], 5)[0]:
            sys.exit(f"{client.name}: no answer to {key!r} within 5 s")
        times.append(1000 * (time.perf_counter() - began))
        client.read()
    return times


def figures(times):
    ordered = sorted(times)
    rank = ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
    return f"median {statistics.median(ordered):.1f} ms, p99 {rank:.1f} ms, worst {ordered[-1]:.1f} ms, {len(ordered)} keys"


def seat_engine(client, level):
    """Opens a table against the engine of this number, from 1 (beginner)."""
    for keys, text in [("n", b"Open a table"), ("\x1b[B" * 5 + "\x1b[C" * level + "\r", b"Moves")]:
        client.bytes = b""
        client.type(keys)
        if not pump([client], lambda: text in client.bytes, 30):
            sys.exit(f"{client.name}: no table")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--stop", type=float, default=60, help="seconds that a client is stopped")
    parser.add_argument("binary", nargs="?", default="target/release/mancalab")
    args = parser.parse_args()
    binary = os.path.abspath(args.binary)
    folder = tempfile.mkdtemp(prefix="mancalab-serve-")
    keys = []
    for number in range(args.clients):
        keys.append(f"{folder}/key{number}")
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", keys[-1]], check=True)
    try:
        server = Server(binary, folder)
        measure(server, keys, args)
    finally:
        server.process.kill()
        shutil.rmtree(folder)


def measure(server, keys, args):
    count = len(keys)
    empty = server.memory()
    cpu, began = server.cpu(), time.monotonic()
    clients = [Client(server, f"guest{number}", key) for number, key in enumerate(keys)]
    if not pump(clients, lambda: all(b"No tables yet" in client.bytes for client in clients), 120):
        sys.exit("not all clients show the lobby")
    took = time.monotonic() - began
    print(f"first frame: all of {count} after {took:.2f} s, {server.cpu() - cpu:.2f} s of processor time in the server")

    drain(clients)
    rss, private = server.memory()
    print(f"memory: {rss:.1f} MiB resident with {count} sessions, {empty[0]:.1f} MiB without; "
          f"{1024 * (private - empty[1]) / count:.0f} KiB private a session; {server.threads()} threads")
    cpu = server.cpu()
    pump(clients, lambda: False, 5)
    print(f"idle: {server.cpu() - cpu:.2f} s of processor time in 5 s")

    # The help opens and closes: a large part of the screen each time.
    print("key to bytes, idle:", figures([t for client in clients[:10] for t in latency(client, clients[10:], "??" * 10)]))

    # Four guests analyse on their Boards, over and over at other positions.
    busy, rest = clients[:4], clients[4:]
    for client in busy:
        client.type("2i")
    times = []
    for number, client in enumerate(rest[:10]):
        busy[number % 4].type("abcdef"[number % 6])
        times += latency(client, rest[10:] + busy, "??" * 10)
    print("key to bytes, 4 guests analyse:", figures(times))
    for client in busy:
        client.type("1")

    for client in busy:
        seat_engine(client, 5)
        client.type("a")
    times = [t for client in rest[:10] for t in latency(client, rest[10:] + busy, "??" * 10)]
    print("key to bytes, 4 master engines:", figures(times))

    # The stopped client watches a table whose chat changes the screen all the time.
    stopped, rest = rest[-1], rest[:-1]
    stopped.bytes = b""
    stopped.type("w")
    if not pump([stopped], lambda: b"Chat" in stopped.bytes, 30):
        sys.exit("no table to watch")
    drain(rest)
    memory = server.memory()[0]
    stopped.kill(signal.SIGSTOP)
    began, times, rounds = time.monotonic(), [], 0
    while time.monotonic() - began < args.stop:
        rounds += 1
        busy[0].type(f"/line-{rounds}\r")
        times += latency(rest[rounds % 10], rest[10:] + busy, "?", pause=0.02)
    print(f"one client stopped for {args.stop:.0f} s, {rounds} changes: {server.memory()[0] - memory:+.1f} MiB; others:", figures(times))
    stopped.kill(signal.SIGCONT)
    began = time.monotonic()
    # Only changed cells are sent; Ctrl-L asks for all.
    pump([stopped], lambda: False, 1)
    stopped.type("\x0c")
    last = f"line-{rounds}".encode()
    shows = pump([stopped], lambda: last in stopped.bytes, 20)
    print(f"  continued, it shows the last change: {shows}, after {time.monotonic() - began:.2f} s and {len(stopped.bytes)} bytes")

    threads = server.threads()
    began = time.monotonic()
    for client in clients:
        client.kill()
    while server.threads() > threads - count + 4 and time.monotonic() - began < 30:
        time.sleep(0.005)
    print(f"kill -9 of all clients: sessions gone after {time.monotonic() - began:.2f} s, {server.threads()} threads left")
    for client in clients:
        client.end()

    # 20 games under way: each pair opened by one and joined by nobody else than an engine, which has answered.
    players = [Client(server, f"player{number}", key) for number, key in enumerate(keys[:20])]
    if not pump(players, lambda: all(b"here" in client.bytes for client in players), 60):
        sys.exit("the players do not come in")
    for client in players:
        seat_engine(client, 1)
        client.bytes = b""
        client.type("b")
        if not pump([client], lambda: b"Your move" in client.bytes, 30):
            sys.exit(f"{client.name}: the engine does not answer")
    games = f"{server.folder}/mancalab/games"
    before = len(os.listdir(games)) if os.path.isdir(games) else 0
    began = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    pump(players, lambda: all(b"shutting down" in client.bytes for client in players), 10)
    informed = sum(b"shutting down" in client.bytes for client in players)
    code = server.process.wait(20)
    kept = len(os.listdir(games)) - before
    print(f"SIGTERM with 20 games: {kept} kept, {informed} guests informed, exit code {code} after {time.monotonic() - began:.2f} s")
    for client in players:
        client.end()


if __name__ == "__main__":
    main()
