#!/bin/sh
# Packs the distribution for those who install it: archives.sh TARGET VERSION COMMIT TIME [ARM64]
# With ARM64, a directory made by arm64-packages.sh, it also writes the image for arm64.
set -eu
target=$1 version=$2 commit=$3 time=$4 arm64=${5:-none}
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
tar --version 2>/dev/null | grep -q GNU || {
  echo "archives: GNU tar not found; install it, or build without archives: -Ddist.archives=false" >&2
  exit 2
}
. "$here/../bin/find-jdk.sh"
cd "$target"
rm -f keyward-*.tar.gz keyward-*.tar keyward*.deb keyward*.rpm keyward-*.zip SHA256SUMS
# Two at a time: most of it is compression.
"$here/image.sh" "$target/keyward" "$version" "$commit" "$time" "$target/keyward-$version-image-amd64.tar" &
image=$!
tar --sort=name --format=gnu --mtime="$time" --owner=0 --group=0 --numeric-owner \
  --transform="s|^keyward|keyward-$version|" --exclude=keyward/built -cf - keyward | gzip -n -4 >"keyward-$version-linux-x64.tar.gz"
"$here/package.sh" "$target/keyward" "$version" "$time" "$target/package" "$target/keyward_${version}_amd64.deb"
# For auditors on other systems: the same without what runs on one system only.
portable=$target/portable
rm -rf "$portable"
mkdir "$portable"
cp -a keyward/bin keyward/lib keyward/LICENSE keyward/NOTICE "$portable/"
rm "$portable"/lib/*.aot
cp "$here/portable/keyward.cmd" "$portable/bin/"
# A zip stores local time.
"$JAVA_HOME/bin/java" -Duser.timezone=UTC -XX:TieredStopAtLevel=1 "$here/PortableZip.java" "$portable" "keyward-$version" "$time" \
  "keyward-$version-portable.zip"
rm -rf "$portable"
wait $image
if [ "$arm64" != none ]; then
  "$here/image.sh" "$target/keyward" "$version" "$commit" "$time" "$target/keyward-$version-image-arm64.tar" "$arm64"
fi
# The .rpm and the SBOM are plugins of Maven; checksums.sh follows them.
