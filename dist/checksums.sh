#!/bin/sh
# Writes the checksums of everything that is released: checksums.sh TARGET
set -eu
cd "$1"
sha256sum -- keyward*.tar.gz keyward*.tar keyward*.deb keyward*.rpm keyward*.zip keyward*.cdx.json >SHA256SUMS
