"""Packs the images of a kubeadm cluster into one archive that containerd imports.

usage: images.py ARCHIVE SCRATCH PAUSE.GO PROGRAM=PATH...
"""
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile

VERSION = "v1.36.3"
# With which tag kubeadm asks for each program of its own version.
TAGS = {
    "etcd": "etcd:3.6.8-0",
    "kube-apiserver": "kube-apiserver:" + VERSION,
    "kube-controller-manager": "kube-controller-manager:" + VERSION,
    "kube-scheduler": "kube-scheduler:" + VERSION,
    "kube-proxy": "kube-proxy:" + VERSION,
}
PATH = "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def place(root, source, target):
    path = os.path.join(root, target.lstrip("/"))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    shutil.copy2(source, path)


def libraries(program):
    listed = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
    for line in listed.splitlines():
        for word in line.split():
            if word.startswith("/"):
                yield word.rstrip(":")


def iptables(root):
    """What kube-proxy calls. Plugins have libraries of their own, and fail silently without them."""
    multi = shutil.which("xtables-nft-multi")
    plugins = os.path.dirname(find_plugin())
    linked = [multi, shutil.which("conntrack")]
    linked += [os.path.join(plugins, name) for name in sorted(os.listdir(plugins))]
    for program in linked:
        place(root, program, program)
        for library in libraries(program):
            place(root, library, library)
    for name in ("iptables", "iptables-save", "iptables-restore"):
        for link in (name, name.replace("iptables", "ip6tables")):
            os.makedirs(os.path.join(root, "usr/sbin"), exist_ok=True)
            os.symlink(multi, os.path.join(root, "usr/sbin", link))


def find_plugin():
    for directory, _, names in os.walk("/usr/lib"):
        if "libxt_statistic.so" in names:
            return os.path.join(directory, "libxt_statistic.so")
    raise SystemExit("images.py: no plugins of iptables below /usr/lib; install the package iptables")


def add(archive, name, content):
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    archive.addfile(entry, io.BytesIO(content))


def image(archive, tag, root, entrypoint):
    layer = io.BytesIO()
    with tarfile.open(fileobj=layer, mode="w") as tar:
        for name in sorted(os.listdir(root)):
            tar.add(os.path.join(root, name), arcname=name)
    layer = layer.getvalue()
    digest = hashlib.sha256(layer).hexdigest()
    settings = {"Env": [PATH], "Entrypoint": entrypoint}
    config = json.dumps({
        "architecture": "amd64",
        "os": "linux",
        "config": settings,
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + digest]},
    }).encode()
    config_name = hashlib.sha256(config).hexdigest() + ".json"
    add(archive, config_name, config)
    add(archive, digest + "/layer.tar", layer)
    return {"Config": config_name, "RepoTags": [tag], "Layers": [digest + "/layer.tar"]}


def main():
    target, scratch, pause = sys.argv[1:4]
    programs = dict(argument.split("=", 1) for argument in sys.argv[4:])
    with tarfile.open(target, "w") as archive:
        manifest = []
        root = os.path.join(scratch, "pause")
        os.makedirs(root)
        subprocess.run(
            ["go", "build", "-trimpath", "-ldflags", "-s -w", "-o", os.path.join(root, "pause"), pause],
            env=dict(os.environ, CGO_ENABLED="0", GO111MODULE="off"), check=True)
        manifest.append(image(archive, "localhost/k8s/pause:3.10.2", root, ["/pause"]))
        for name, tag in TAGS.items():
            root = os.path.join(scratch, name)
            place(root, programs[name], "usr/local/bin/" + name)
            if name == "etcd":
                place(root, programs["etcdctl"], "usr/local/bin/etcdctl")
            if name == "kube-proxy":
                iptables(root)
            manifest.append(image(archive, "localhost/k8s/" + tag, root, None))
        root = os.path.join(scratch, "busybox")
        place(root, shutil.which("busybox"), "bin/busybox")
        for applet in ("sh", "sleep", "wget", "cat", "ls", "true", "httpd"):
            os.symlink("busybox", os.path.join(root, "bin", applet))
        manifest.append(image(archive, "localhost/busybox:1", root, None))
        add(archive, "manifest.json", json.dumps(manifest).encode())


main()
