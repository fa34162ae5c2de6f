"""How processor time and memory grow with the size of the work: workloads, tables and plots for docs/growth.md.

Every measurement is a process of its own on one thread; the system counts its processor time and its greatest resident memory, so
that other work on the machine matters little. Keys are typed on a pseudo-terminal of 160x45 cells.
"""

import fcntl
import math
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TICK = os.sysconf("SC_CLK_TCK")
CELLS = (160, 45)


class Machine:
    """Runs the program with a state folder of its own."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.env = {"HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder, "PATH": os.environ["PATH"],
                    "LANG": "C.UTF-8", "TERM": "xterm-256color", "COLORTERM": "truecolor"}

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *args):
        """Returns the seconds and MiB of a command."""
        process = subprocess.Popen([self.binary, *map(str, args)], env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        errors = process.stderr.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{' '.join(map(str, args))} failed: {errors}")
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024

    def size(self, name):
        """Returns the size of a file or folder in MB."""
        path = self.path(name)
        files = [os.path.join(path, file) for file in os.listdir(path)] if os.path.isdir(path) else [path]
        return sum(os.path.getsize(file) for file in files) / 1e6


class Screen:
    """The program on a pseudo-terminal."""

    def __init__(self, machine, *args):
        self.bytes = 0
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", CELLS[1], CELLS[0], 0, 0))
            os.execve(machine.binary, [machine.binary, *map(str, args)], machine.env)
        self.settled()
        with open(f"/proc/{self.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        self.opening = (int(fields[11]) + int(fields[12])) / TICK

    def _seconds(self):
        """Returns the processor time of the living threads, to the microsecond."""
        total = 0
        for task in os.listdir(f"/proc/{self.pid}/task"):
            try:
                with open(f"/proc/{self.pid}/task/{task}/schedstat") as file:
                    total += int(file.read().split()[0])
            except FileNotFoundError:
                pass
        return total / 1e9

    def settled(self, quiet=0.4, limit=300):
        """Waits until it neither draws nor computes; returns the processor time of the living threads."""
        end, last, used = time.monotonic() + limit, time.monotonic(), 0.0
        while time.monotonic() < end:
            while select.select([self.fd], [], [], 0.02)[0]:
                self.bytes += len(os.read(self.fd, 1 << 16))
                last = time.monotonic()
            now = self._seconds()
            if abs(now - used) > 0.005:
                last, used = time.monotonic(), now
            if time.monotonic() - last > quiet:
                return now
        sys.exit("the screen does not settle")

    def keys(self, *keys):
        """Types keys, each after the frame of the one before; returns their mean processor time in ms."""
        before = self._seconds()
        for key in keys:
            drawn, end = self.bytes, time.monotonic() + 10
            os.write(self.fd, key.encode())
            while self.bytes == drawn:
                if time.monotonic() > end:
                    sys.exit(f"the key {key!r} draws nothing")
                if select.select([self.fd], [], [], 0.1)[0]:
                    self.bytes += len(os.read(self.fd, 1 << 16))
            time.sleep(0.06)
        return 1000 * (self.settled(quiet=0.1) - before) / len(keys)

    def go(self, key):
        """Types a key that may change nothing."""
        os.write(self.fd, key.encode())
        self.settled()

    def end(self):
        """Kills it; returns its greatest memory in MiB."""
        os.kill(self.pid, signal.SIGKILL)
        _, _, usage = os.wait4(self.pid, 0)
        os.close(self.fd)
        return usage.ru_maxrss / 1024


HOME, END = "\x1b[H", "\x1b[F"


def flags(settings):
    return [word for setting in settings for word in ("--set", setting)]


def populations(machine, count):
    """Two generations of programs, their checkpoint, and one generation more after it was read."""
    for preset, settings in [("mancala-gp-1", ["opponents=max"]), ("othello-gp-50", ["termination=0"])]:
        settings = flags([*settings, f"population={count}", "max_nodes=1000000000"])
        out = machine.path(preset)
        yield from machine.run("evolve", preset, "--seed", 1, "--threads", 1, "--generations", 2, *settings, "--out", out)
        yield machine.size(f"{preset}/checkpoint")
        yield from machine.run("evolve", "--resume", out, "--generations", 3, "--threads", 1)
        shutil.rmtree(out)


# Each plays everyone, itself included, from both sides: sixteen pairs.
PLAYERS = "random,max,max:ties=first,minimax:1"


def tournaments(machine, games):
    """A tournament, one round more after it was read, its status and its page."""
    out = machine.path("tournament")
    settings = ["--players", PLAYERS, "--games", games // 16, "--seed", 1, "--threads", 1]
    yield from machine.run("match", *settings, "--out", out)
    yield machine.size("tournament")
    yield from machine.run("match", "--resume", out, "--games", games // 16 + 1, "--threads", 1)
    yield machine.run("runs", "show", out)[0]
    screen = Screen(machine, "runs", "watch", out)
    yield screen.opening
    yield screen.keys(*["m"] * 12)
    yield screen.end()
    shutil.rmtree(out)


def opened(machine, path):
    """A game on the Board: opening it, from one end to the other, and a move back and on."""
    screen = Screen(machine, path)
    yield screen.opening
    screen.go(END)
    yield screen.keys(*[HOME, END] * 5)
    yield screen.keys(*[",", "."] * 10)
    yield screen.end()


def lines(machine, plies):
    """Games of one line: the beginnings of long.pdn."""
    with open(os.path.join(ROOT, "tests/speed/long.pdn")) as file:
        headers, text = file.read().split("\n\n")
    moves = [word for word in text.split() if not word.endswith(".") and word != "*"][:plies]
    path = machine.path("long.pdn")
    with open(path, "w") as file:
        file.write(f"{headers}\n\n{' '.join(moves)} *\n")
    yield from machine.run("review", f"{path}#1", "--depth", 1, "--threads", 1)
    yield from opened(machine, f"{path}#1")


class Kalah:
    """Kalah(6, 4), as far as a tree of moves needs it: pits 0 to 5 and store 6 are South's."""

    def __init__(self, pits=None, side=0):
        self.pits, self.side = pits or ([4] * 6 + [0]) * 2, side

    def moves(self):
        if not any(self.pits[:6]) or not any(self.pits[7:13]):
            return []
        return [pit for pit in range(6) if self.pits[7 * self.side + pit]]

    def name(self, pit):
        return ["ABCDEF", "abcdef"][self.side][pit]

    def play(self, pit):
        pits, at = list(self.pits), 7 * self.side + pit
        store, other = 7 * self.side + 6, 13 - 7 * self.side
        seeds, pits[at] = pits[at], 0
        while seeds:
            at = (at + 1) % 14
            if at != other:
                pits[at] += 1
                seeds -= 1
        if at == store:
            return Kalah(pits, self.side)
        if at // 7 == self.side and pits[at] == 1 and pits[12 - at]:
            pits[store] += 1 + pits[12 - at]
            pits[at] = pits[12 - at] = 0
        return Kalah(pits, 1 - self.side)


def tree(pos, count):
    """Returns the words of `count` moves after a position, half of them in variations of the first, and how many there are."""
    words, done = [], 0
    while done < count and pos.moves():
        first, *others = pos.moves()
        words.append(pos.name(first))
        done, share = done + 1, (count - done - 1) // 2
        for other in others:
            if share // len(others) > 0:
                inner, moves = tree(pos.play(other), share // len(others) - 1)
                words += [f"({pos.name(other)}", *inner, ")"]
                done += moves + 1
        pos = pos.play(first)
    return words, done


def variations(machine, moves):
    """Games whose moves are nearly all in variations."""
    words, count = tree(Kalah(), moves)
    path = machine.path("tree.game")
    with open(path, "w") as file:
        file.write(f'[Game "kalah:6x4:standard"]\n\n{" ".join(words)}\n')
    yield count
    yield from opened(machine, path)


def generations(command, preset, *settings):
    """Runs of very small generations: the run but for its last generation, this one after it was read, its status, its rows and its page."""
    def measure(machine, count):
        out = machine.path("run")
        yield from machine.run(command, preset, "--seed", 1, "--threads", 1, "--generations", count - 1, *flags(settings), "--out", out)
        yield machine.size("run")
        yield from machine.run(command, "--resume", out, "--generations", count, "--threads", 1)
        yield machine.run("runs", "show", out)[0]
        yield machine.run("runs", "export", out)[0]
        screen = Screen(machine, "runs", "watch", out)
        yield screen.opening
        yield screen.keys(*["v", "a"] * 6)
        yield screen.end()
        shutil.rmtree(out)

    return measure


class Table:
    """A table of a workload: what is measured at each size. A unit of s is drawn in the plot of time, one of MiB in that of memory."""

    def __init__(self, name, of, sizes, columns, measure):
        self.name, self.of, self.sizes, self.columns, self.measure = name, of, sizes, columns, measure

    def curves(self, rows, unit):
        """Returns the label and the points of each column with this unit."""
        for at, (title, its) in enumerate(self.columns):
            if its == unit:
                yield f"{self.name}: {title}" if self.name else title, [(size, values[at]) for size, values in rows if values[at] > 0]


def series(least, most):
    """Returns the sizes 1, 3, 10, 30 and so on between two."""
    return [size for power in range(9) for size in (10**power, 3 * 10**power) if least <= size <= most]


POPULATION = [("two generations", "s"), ("memory", "MiB"), ("checkpoint", "MB"), ("resumed", "s"), ("memory, resumed", "MiB")]
OPENED = [("opened", "s"), ("to an end", "ms"), ("a move", "ms"), ("memory, opened", "MiB")]
RUN = [("run", "s"), ("memory", "MiB"), ("folder", "MB"), ("resumed", "s"), ("memory, resumed", "MiB"), ("`runs show`", "s")]

WORKLOADS = {
    "populations": ("Populations", [
        Table("Kalah and Othello", "programs", series(1000, 100_000),
              [(f"{game}, {title}", unit) for game in ("Kalah", "Othello") for title, unit in POPULATION], populations),
    ], "Two generations after the initial one, of `mancala-gp-1` against `max` and of `othello-gp-50` (until no target); then the run is "
       "resumed from its checkpoint for one generation more."),
    "tournaments": ("Tournaments", [
        Table("", "games", series(10_000, 10_000_000), RUN + [("opened", "s"), ("a key", "ms"), ("memory, opened", "MiB")], tournaments),
    ], f"Games of `{PLAYERS}`, sixteen pairs. The tournament is then resumed for one round more."),
    "games": ("Long games", [
        Table("One line", "plies", [100, 300, 1000, 3000, 8121], [("`review --depth 1`", "s"), ("memory, reviewed", "MiB"), *OPENED], lines),
        Table("Variations", "moves", series(100, 10_000), [("moves", "1"), *OPENED], variations),
    ], "The longest game of one line is one of checkers, in which both sides put off every capture and every man's move "
       "(`tests/speed/long.pdn`, 8,121 plies); the other games of the program are over much sooner. In the second table nearly all moves are "
       "in variations of Kalah. *A move* is a step with `,` or `.`, *to an end* is `Home` or `End`."),
    "runs": ("Long runs", [
        Table("evolve", "generations", series(1000, 1_000_000),
              RUN + [("`runs export`", "s"), ("opened", "s"), ("a key", "ms"), ("memory, opened", "MiB")],
              generations("evolve", "mancala-gp-1", "population=2", "opponents=max", "initial_depth=4", "max_depth=6")),
        Table("tune", "generations", series(1000, 1_000_000),
              RUN + [("`runs export`", "s"), ("opened", "s"), ("a key", "ms"), ("memory, opened", "MiB")],
              generations("tune", "kalah-thesis", "population=2", "depth=1", "games=1", "opening=0", "game=2x1:standard")),
    ], "Generations of two programs (`evolve mancala-gp-1` against `max`) and of two genomes (`tune kalah-thesis` on Kalah(2, 1), at depth 1). "
       "The last generation is computed after the run was read from its checkpoint. *A key* changes the form or the span of the curves of an opened "
       "run."),
}


def exponent(points):
    """Returns the slope of the logarithms over the last three sizes, by least squares; None for fewer points."""
    points = [(math.log(x), math.log(y)) for x, y in points if y > 0][-3:]
    if len(points) < 2:
        return None
    x, y = (sum(values) / len(points) for values in zip(*points))
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)


def figure(value):
    """Returns three digits, and all of a whole part."""
    decimals = max(0, 2 - math.floor(math.log10(value))) if value > 0 else 0
    return f"{value:,.{min(decimals, 3)}f}"


def markdown(table, rows):
    units = {"1": "", "s": " s", "ms": " ms", "MiB": " MiB", "MB": " MB"}
    lines = [f"| {table.of} | " + " | ".join(f"{title}{units[unit] and ','}{units[unit]}" for title, unit in table.columns) + " |",
             "|---:" * (len(table.columns) + 1) + "|"]
    lines += [f"| {size:,} | " + " | ".join(figure(value) for value in values) + " |" for size, values in rows]
    slopes = [exponent([(size, values[at]) for size, values in rows]) for at in range(len(table.columns))]
    lines.append("| exponent | " + " | ".join("" if slope is None else f"{slope:.2f}" for slope in slopes) + " |")
    return "\n".join(lines)


COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#555555", "#8c564b"]


def panel(title, curves, left, out):
    """Draws curves on logarithmic axes; a dashed line rises as n does, a dotted one as n log n."""
    width, height, top, legend = 400, 300, 40, 18
    points = [point for _, curve in curves for point in curve]
    if not points:
        return 0
    low = [math.floor(math.log10(min(point[axis] for point in points))) for axis in (0, 1)]
    high = [max(low[axis] + 1, math.ceil(math.log10(max(point[axis] for point in points)))) for axis in (0, 1)]

    def at(x, y):
        return (left + width * (math.log10(x) - low[0]) / (high[0] - low[0]),
                top + height * (1 - (math.log10(y) - low[1]) / (high[1] - low[1])))

    def line(points, colour, more=""):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" {more}/>')

    out.append(f'<text x="{left}" y="{top - 16}" font-weight="bold">{title}</text>')
    for axis in (0, 1):
        for power in range(low[axis], high[axis] + 1):
            ends = [(10**power, 10 ** low[1]), (10**power, 10 ** high[1])] if axis == 0 else [(10 ** low[0], 10**power), (10 ** high[0], 10**power)]
            line([at(*end) for end in ends], "#ddd")
            x, y = at(*ends[0])
            place = f'x="{x:.1f}" y="{y + 16:.1f}" text-anchor="middle"' if axis == 0 else f'x="{x - 6:.1f}" y="{y + 4:.1f}" text-anchor="end"'
            out.append(f"<text {place}>{10**power:,.{max(0, -power)}f}</text>")
    # The guides leave the lower left corner, as far as the panel goes.
    start, span = 10 ** low[0], min(high[0] - low[0], high[1] - low[1])
    steps = [start * 10 ** (span * step / 40) for step in range(41)]
    for growth, dashes in ((lambda n: n, "6 4"), (lambda n: n * math.log(n) / math.log(start) if start > 1 else n, "1 3")):
        guide = [(n, 10 ** low[1] * growth(n) / growth(start)) for n in steps]
        line([at(*point) for point in guide if point[1] <= 10 ** high[1]], "#999", f'stroke-dasharray="{dashes}"')
    for number, (label, curve) in enumerate(curves):
        colour = COLOURS[number % len(COLOURS)]
        line([at(*point) for point in curve], colour, 'stroke-width="2"')
        for x, y in (at(*point) for point in curve):
            out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>')
        y = top + height + 42 + legend * number
        out.append(f'<rect x="{left}" y="{y - 9}" width="14" height="9" fill="{colour}"/><text x="{left + 20}" y="{y}">{label.replace("`", "")}</text>')
    return len(curves)


def plot(tables, results):
    """Returns a plot of all times, and beside it one of memory, as SVG."""
    out, legend = [], 0
    for number, (unit, title) in enumerate((("s", "Processor time, s"), ("MiB", "Memory, MiB"))):
        curves = [curve for table, rows in zip(tables, results) for curve in table.curves(rows, unit)]
        legend = max(legend, panel(title, curves, 60 + 480 * number, out))
    height = 390 + 18 * legend
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 {height}" font-family="sans-serif" font-size="12" fill="#222">\n'
            f'<rect width="960" height="{height}" fill="#fff"/>\n' + "\n".join(out) + "\n</svg>\n")


def measured(machine, table, sizes):
    rows = []
    for size in sizes:
        values = list(table.measure(machine, size))
        rows.append((size, values))
        print(f"{table.name} {size:,} {table.of}: ", ", ".join(f"{title} {figure(value)} {unit}" for (title, unit), value in zip(table.columns, values)), flush=True)
    return rows


def section(binary, name, quick):
    """Measures a workload; returns its part of the page and its plot as SVG."""
    title, tables, about = WORKLOADS[name]
    folder = tempfile.mkdtemp(prefix="mancalab-growth-")
    try:
        machine = Machine(binary, folder)
        results = [measured(machine, table, table.sizes[:-2] if quick else table.sizes) for table in tables]
    finally:
        shutil.rmtree(folder)
    parts = [markdown(table, rows) for table, rows in zip(tables, results)]
    text = f"## {title}\n\n{about}\n\n![{title}: processor time and memory by size](speed/{name}.svg)\n\n" + "\n\n".join(parts)
    return text, plot(tables, results)
