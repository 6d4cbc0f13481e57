"""Packs one static program into an OCI archive that containerd imports, and prints its reference.

usage: plugin-image.py ARCHIVE REPOSITORY PROGRAM

The reference has the form REPOSITORY@sha256:DIGEST. The same program has the same digest on every
node, so nothing in the archive depends on the time or on the machine.
"""
import hashlib
import io
import json
import os
import sys
import tarfile

CONFIG = "application/vnd.oci.image.config.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
INDEX = "application/vnd.oci.image.index.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar"


def add(archive, name, content, mode=0o644):
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    entry.mode = mode
    archive.addfile(entry, io.BytesIO(content))


def blob(archive, media_type, content):
    digest = hashlib.sha256(content).hexdigest()
    add(archive, "blobs/sha256/" + digest, content)
    return {"mediaType": media_type, "digest": "sha256:" + digest, "size": len(content)}


def document(value):
    return json.dumps(value, sort_keys=True).encode()


def layer(program):
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as tar, open(program, "rb") as file:
        add(tar, os.path.basename(program), file.read(), mode=0o755)
    return content.getvalue()


def main():
    target, repository, program = sys.argv[1:]
    with tarfile.open(target, "w") as archive:
        files = blob(archive, LAYER, layer(program))
        config = blob(archive, CONFIG, document({
            "architecture": {"x86_64": "amd64", "aarch64": "arm64"}[os.uname().machine],
            "os": "linux",
            "config": {"Entrypoint": ["/" + os.path.basename(program)], "User": "65532:65532"},
            "rootfs": {"type": "layers", "diff_ids": [files["digest"]]},
        }))
        manifest = blob(archive, MANIFEST, document({
            "schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [files]}))
        reference = repository + "@" + manifest["digest"]
        # containerd takes the whole name from here, and kubelet finds an image by exactly this name.
        manifest["annotations"] = {"io.containerd.image.name": reference}
        add(archive, "index.json", document({
            "schemaVersion": 2, "mediaType": INDEX, "manifests": [manifest]}))
        add(archive, "oci-layout", document({"imageLayoutVersion": "1.0.0"}))
    print(reference)


main()
