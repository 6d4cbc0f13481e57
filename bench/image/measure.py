"""Measures the start of the plugin in the image and from the distribution.

usage: measure.py DISTRIBUTION IMAGE.tar ROUNDS [RESULT.json]
"""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

LIMIT_BYTES, LIMIT_RATIO = 220_000_000, 1.1
USER = 65532
TICKS = os.sysconf("SC_CLK_TCK")


def started(pid):
    """When a process was created, in seconds since the machine started."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[19]) / TICKS


def until_socket(socket):
    end = time.monotonic() + 60
    while not socket.exists():
        if time.monotonic() > end:
            raise SystemExit("bench: the plugin did not start")
        time.sleep(0.002)
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def configure(work, sockets, settings):
    local = {"keystore": f"{settings}/keys", "passwordFile": f"{settings}/password"}
    (work / "plugin.yaml").write_text(
        "keys:\n  - name: bench\n    socket: %s/s\n    provider: local\n    local: %s\n"
        % (sockets, json.dumps(local)))


class Bench:
    def __init__(self, work, distribution, image):
        self.work, self.keyward = work, distribution / "bin/keyward"
        self.sockets, self.inside, self.outside = work / "run", work / "inside", work / "outside"
        for directory in (self.sockets, self.inside, self.outside):
            directory.mkdir(mode=0o700)
        (self.inside / "password").write_text("bench\n")
        subprocess.run([self.keyward, "keystore", "create", "--keystore", self.inside / "keys",
                        "--password-file", self.inside / "password"], check=True, stderr=subprocess.DEVNULL)
        for name in ("keys", "password"):
            shutil.copy(self.inside / name, self.outside / name)
        configure(self.inside, "/run/keyward", "/etc/keyward")
        configure(self.outside, str(self.sockets), str(self.outside))
        config = work / "containerd.toml"
        config.write_text(
            f'version = 2\nroot = "{work}/root"\nstate = "{work}/state"\n'
            f'disabled_plugins = ["io.containerd.grpc.v1.cri"]\n[grpc]\n  address = "{work}/ctr"\n')
        self.containerd = subprocess.Popen(["containerd", "-c", config], stderr=(work / "log").open("w"))
        end = time.monotonic() + 30
        while subprocess.run(self.ctr("version"), capture_output=True).returncode:
            if time.monotonic() > end:
                raise SystemExit("bench: containerd does not start")
            time.sleep(0.1)
        self.call("images", "import", image)
        self.image = self.call("images", "ls", "-q").strip()
        mounted = work / "mounted"
        mounted.mkdir()
        self.call("images", "mount", self.image, mounted)
        self.bytes = sum(f.lstat().st_size for f in mounted.rglob("*") if f.is_file() and not f.is_symlink())
        self.call("images", "unmount", mounted)

    def ctr(self, *arguments):
        return ["ctr", "-a", f"{self.work}/ctr", "-n", "bench", *map(str, arguments)]

    def call(self, *arguments):
        return subprocess.run(self.ctr(*arguments), check=True, capture_output=True, text=True).stdout

    def give(self, user):
        for path in (self.sockets, self.inside, *self.inside.iterdir()):
            os.chown(path, user, user)

    def empty(self):
        shutil.rmtree(self.sockets)
        self.sockets.mkdir(mode=0o700)

    def in_image(self):
        self.empty()
        self.give(USER)
        self.call("run", "-d", "--read-only",
                  "--mount", f"type=bind,src={self.inside},dst=/etc/keyward,options=rbind:ro",
                  "--mount", f"type=bind,src={self.sockets},dst=/run/keyward,options=rbind:rw",
                  self.image, "plugin", "/opt/keyward/runtime/bin/java", "-XX:AOTMode=on",
                  "@/opt/keyward/lib/plugin.args", "plugin", "--config", "/etc/keyward/plugin.yaml")
        pid = self.call("task", "ls").splitlines()[1].split()[1]
        spent = until_socket(self.sockets / "s") - started(pid)
        self.call("task", "rm", "-f", "plugin")
        self.call("container", "rm", "plugin")
        return spent

    def from_distribution(self):
        self.empty()
        process = subprocess.Popen([self.keyward, "plugin", "--config", self.outside / "plugin.yaml"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        spent = until_socket(self.sockets / "s") - started(process.pid)
        process.terminate()
        process.wait()
        return spent

    def close(self):
        subprocess.run(self.ctr("task", "rm", "-f", "plugin"), capture_output=True)
        self.containerd.terminate()
        self.containerd.wait()


def main():
    work = pathlib.Path(tempfile.mkdtemp())
    bench = None
    try:
        bench = Bench(work, pathlib.Path(sys.argv[1]), sys.argv[2])
        image, distribution = [], []
        for _ in range(int(sys.argv[3])):
            distribution.append(bench.from_distribution() * 1000)
            image.append(bench.in_image() * 1000)
    finally:
        if bench:
            bench.close()
        shutil.rmtree(work, ignore_errors=True)
    ratio = statistics.median(image) / statistics.median(distribution)
    rows = [
        {"what": "unpacked size of the image", "unit": "MB", "ours": round(bench.bytes / 1e6, 1), "against": "limit",
         "other": LIMIT_BYTES / 1e6, "ratio": round(bench.bytes / LIMIT_BYTES, 3), "mustReach": "<= 1.00 x",
         "reached": bench.bytes <= LIMIT_BYTES},
        {"what": "start of the plugin in the image, to its socket, median", "unit": "ms",
         "ours": round(statistics.median(image)), "against": "distribution",
         "other": round(statistics.median(distribution)), "ratio": round(ratio, 3),
         "mustReach": f"<= {LIMIT_RATIO:.2f} x", "reached": ratio <= LIMIT_RATIO},
    ]
    found = {"rows": rows, "rounds": len(image)}
    print(json.dumps(found, indent=1))
    if len(sys.argv) > 4:
        pathlib.Path(sys.argv[4]).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0 if all(row["reached"] for row in rows) else 1


sys.exit(main())
