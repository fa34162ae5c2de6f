#!/usr/bin/env python3
"""Plans through a HyperQueue of its own: tests/cluster/hyperqueue.py.

Starts a server and two workers, submits every plan as `mancalab plan submit --dry-run` says, kills a worker in the middle of a unit, and compares
what comes out with the same runs made without any engine. HyperQueue comes from its Python package, which has no `hq` command: the job file
is read here, as `hq job submit-file` reads it, and submitted through the package.
"""

import contextlib
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
MANCALAB = os.environ.setdefault("MANCALAB", str(HERE.parent.parent / "target/debug/mancalab"))
PACKAGE = "hyperqueue==0.27.*"
APART = ["-I"]  # of Python: else this file is found in the package's place, whose name it has
SECONDS = 90  # before which everything that is waited for has to happen


def wait_for(what, happens):
    """What `happens` gives as soon as that is something."""
    end = time.monotonic() + SECONDS
    while not (found := happens()):
        if time.monotonic() > end:
            sys.exit(f"hyperqueue: not within {SECONDS} seconds: {what}")
        time.sleep(0.02)
    return found


# --- Three lives of this file: it makes an environment with the package, then is a cluster in it, whose workers are further processes.


def outside(base):
    """Installs the package and goes on in a network of its own: the server listens on all addresses."""
    if sys.version_info < (3, 11):
        print("hyperqueue: skipped, it needs Python 3.11")
        return 0
    python = base / "environment/bin/python"
    install = [[sys.executable, "-m", "venv", base / "environment"], [python, "-m", "pip", "install", "--quiet", PACKAGE]]
    for command in install:
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            print(f"hyperqueue: skipped, {PACKAGE} cannot be installed: {done.stderr.strip().splitlines()[-1:]}")
            return 0
    command = [python, *APART, __file__, "--inside", base]
    apart = ["unshare", "--net", *([] if os.getuid() == 0 else ["--map-root-user"]), "--", "sh", "-c"]
    if shutil.which("unshare") and subprocess.run([*apart, "ip link set lo up"], capture_output=True).returncode == 0:
        command = [*apart, 'ip link set lo up && exec "$@"', "sh", *command]
    else:
        print("hyperqueue: without a network of its own, its server can be reached from other machines while this runs")
    return subprocess.run(command, env=os.environ | {"TQDM_DISABLE": "1"}).returncode


def worker(server, own):
    """A worker in a process of its own, for those of a LocalCluster are threads, which cannot be killed. It is that of another cluster,
    whose worker is told of the first one's server."""
    from hyperqueue.cluster import LocalCluster, WorkerConfig

    parent = os.getppid()
    cluster = LocalCluster(own)
    current = Path(own, "hq-current")
    current.unlink()
    current.symlink_to(Path(server, "hq-current").resolve())
    cluster.start_worker(WorkerConfig(cores=1))
    Path(own, "up").touch()
    while os.getppid() == parent:
        time.sleep(0.5)


@contextlib.contextmanager
def silence():
    """Nothing comes out, not even what the package itself prints."""
    sys.stdout.flush()
    out = os.dup(1)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    try:
        yield
    finally:
        os.dup2(out, 1)
        os.close(out)


class Cluster:
    """A server here, and workers of one processor each."""

    def __init__(self, base):
        from hyperqueue.cluster import LocalCluster

        self.base, self.workers, self.started = base, [], 0
        with silence():
            self.cluster = LocalCluster(str(base / "server"))
        self.client = self.cluster.client()

    def start_worker(self):
        own = self.base / f"worker{self.started}"
        self.started += 1
        command = [sys.executable, *APART, __file__, "--worker", str(self.base / "server"), str(own)]
        self.workers.append(subprocess.Popen(command, stdout=subprocess.DEVNULL))
        wait_for("a worker is up", lambda: (own / "up").exists())

    def kill_worker(self, pid):
        (worker,) = [worker for worker in self.workers if worker.pid == pid]
        worker.kill()
        worker.wait()
        self.workers.remove(worker)

    def stop(self):
        for worker in self.workers:
            worker.kill()
            worker.wait()
        self.cluster.stop()


# --- What `mancalab plan submit --dry-run` shows, and what it means.


def shown(text):
    """The files by their paths, and the commands."""
    files, commands, path = {}, [], None
    for line in text.splitlines():
        if line.startswith("# FILE "):
            path = line.removeprefix("# FILE ")
            files[path] = ""
        elif line.startswith("$ "):
            path = None
            commands.append(line.removeprefix("$ "))
        elif path:
            files[path] += line + "\n"
    return files, commands


def numbers(ranges):
    """The numbers of `0-2,7`."""
    for part in ranges.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def job_of(text):
    """A job definition file as a job of the package, of whose keys it must have no others."""
    import tomllib

    from hyperqueue import Job
    from hyperqueue.ffi.protocol import ResourceRequest
    from hyperqueue.task.program import ExternalProgram

    file = tomllib.loads(text)
    job = Job(name=file.pop("name"), max_fails=file.pop("max_fails"))
    array = file.pop("array", None)
    tasks = [{**array, "id": number} for number in numbers(array["ids"])] if array else file.pop("task")
    assert not file, f"unknown keys: {file}"
    for task in tasks:
        task = dict(task)
        task.pop("ids", None)
        (request,) = task.pop("request")
        built = ExternalProgram(
            task.pop("id"),
            args=task.pop("command"),
            cwd=task.pop("cwd"),
            stdout=task.pop("stdout"),
            stderr=task.pop("stderr"),
            crash_limit=task.pop("crash_limit"),
            dependencies=[job.task_by_id(number) for number in task.pop("deps", [])],
            resources=ResourceRequest(cpus=request["resources"]["cpus"]),
        )
        assert not task, f"unknown keys: {task}"
        job._add_task(built)
    return job


# --- The test.


def halted(plan, workers):
    """Halts a unit that is under way and has no result yet, so that it cannot end before its worker is killed: that worker, of these,
    the unit, and its process. Marks tell: `UNIT.HOST-PROCESS-CHANCE.run`."""
    for mark in plan.glob("marks/*/*.run"):
        unit, process = mark.name.split(".")[0], int(mark.name.split("-")[-2])
        with contextlib.suppress(OSError):
            worker = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
            if worker not in workers:
                continue
            os.kill(process, signal.SIGSTOP)
            if mark.exists() and not list(plan.glob(f"results/*/{unit}.*")):
                return worker, unit, process
            os.kill(process, signal.SIGCONT)
    return None


def one(cluster, name, plan, alone):
    subprocess.run([HERE / "plans", "make", name, plan], check=True)
    command = [MANCALAB, "plan", "submit", plan, "--engine", "hyperqueue", "--threads", "1", "--dry-run"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    files, commands = shown(text)
    assert len(files) == 1 and any("hq" in command for command in commands), text
    job = cluster.client.submit(job_of(*files.values()))
    workers = [worker.pid for worker in cluster.workers]
    pid, unit, process = wait_for(f"a unit of {name} is in its middle", lambda: halted(plan, workers))
    cluster.kill_worker(pid)
    # A halted process takes no notice of the end of its worker.
    os.kill(process, signal.SIGKILL)
    print(f"hyperqueue: killed the worker of unit {unit} of {name} in its middle", flush=True)
    cluster.start_worker()
    if not cluster.client.wait_for_jobs([job], raise_on_error=False):
        sys.exit(f"hyperqueue: tasks of {name} failed: {cluster.client.get_failed_tasks(job)}")
    if not list(plan.glob("logs/*.1.out")):
        sys.exit(f"hyperqueue: no unit of {name} was started twice, so nothing is known of that")
    subprocess.run([HERE / "plans", "same", name, plan, alone], check=True)


def printed():
    """The script that docs/cluster.md prints in the place of `hq`."""
    lines = (HERE.parent.parent / "docs/cluster.md").read_text().splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("    #!/") and "python" in line)
    block = itertools.takewhile(lambda line: line.startswith("    "), lines[start:])
    return "".join(line[4:] + "\n" for line in block)


def by_the_printed_script(base, alone):
    """Plans with and without units that need others, submitted as `mancalab plan submit` does it, through that script."""
    home = base / "home"
    hq = home / "bin/hq"
    hq.parent.mkdir(parents=True)
    _, _, rest = printed().partition("\n")
    hq.write_text(f"#!{sys.executable}\n{rest}")
    hq.chmod(0o755)
    env = os.environ | {"HOME": str(home), "PATH": f"{hq.parent}:{os.environ['PATH']}"}
    start = lambda what: subprocess.Popen([hq, what, "start"], env=env, stdout=subprocess.DEVNULL)
    started = [start("server")]
    try:
        wait_for("the printed server is up", lambda: (home / ".hq-server/hq-current/access.json").exists())
        started.append(start("worker"))
        for name in ["arena", "islands"]:
            plan = base / "printed" / name
            subprocess.run([HERE / "plans", "make", name, plan], check=True)
            command = [MANCALAB, "plan", "submit", plan, "--engine", "hyperqueue"]
            subprocess.run(command, env=env, check=True, stdout=subprocess.DEVNULL)
            show = [MANCALAB, "runs", "show", plan, "--json"]
            state = lambda: json.loads(subprocess.run(show, check=True, capture_output=True).stdout)["state"]
            wait_for(f"{name} is finished by the printed script", lambda: state() == "finished")
            subprocess.run([HERE / "plans", "same", name, plan, alone], check=True)
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


def inside(base):
    alone = os.environ.get("MANCALAB_ALONE")
    if not alone:
        alone = str(base / "alone")
        subprocess.run([HERE / "plans", "alone", alone], check=True)
    cluster = Cluster(base)
    try:
        cluster.start_worker()
        cluster.start_worker()
        names = subprocess.run([HERE / "plans", "names"], check=True, capture_output=True, text=True).stdout.split()
        for name in names:
            plan = base / 'it\'s a "plan"' / name
            plan.parent.mkdir(exist_ok=True)
            one(cluster, name, plan, alone)
    finally:
        cluster.stop()
    by_the_printed_script(base, alone)
    print("hyperqueue: all plans are done, and the same")


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    match sys.argv[1:]:
        case ["--worker", server, own]:
            worker(server, own)
        case ["--inside", base]:
            inside(Path(base))
        case _:
            base = Path(tempfile.mkdtemp(prefix="mancalab-hyperqueue."))
            code = outside(base)
            if code == 0:
                shutil.rmtree(base)
            else:
                print(f"hyperqueue: failed, its files are in {base}", file=sys.stderr)
            sys.exit(code)


if __name__ == "__main__":
    main()
