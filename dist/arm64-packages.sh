#!/bin/sh
# Downloads and unpacks what the image for arm64 is made of: arm64-packages.sh DIRECTORY
# The packages are those of Debian 13 for arm64, from the Debian mirror that this machine uses. They are not
# installed, and the configuration of apt stays as it is. Build with -Ddist.arm64=DIRECTORY afterwards.
set -eu
release=trixie
packages='openjdk-25-jdk-headless openjdk-25-jre-headless libc6 libgcc-s1 libstdc++6 zlib1g'
[ $# = 1 ] || {
  echo "usage: dist/arm64-packages.sh DIRECTORY" >&2
  exit 64
}
mkdir -p "$1"
directory=$(CDPATH= cd -- "$1" && pwd)
mirror=$(apt-get indextargets --format '$(SITE)' 'Identifier: Packages' 'Label: Debian' | head -n 1)
[ -n "$mirror" ] || {
  echo "arm64-packages: this machine uses no Debian mirror" >&2
  exit 2
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/debs"
touch "$work/status"
chmod 755 "$work"
keys=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb [arch=arm64 signed-by=$keys] $mirror $release main" >"$work/sources.list"
cat >"$work/apt.conf" <<END
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Sandbox::User "root";
Dir::Etc::SourceList "$work/sources.list";
Dir::Etc::SourceParts "-";
Dir::State::Lists "$work/lists";
Dir::State::Status "$work/status";
Dir::Cache "$work/cache";
END
export APT_CONFIG="$work/apt.conf"
apt-get -q update
cd "$work/debs"
# The names are separate words on purpose.
# shellcheck disable=SC2086
apt-get -q download $packages
for package in *.deb; do dpkg-deb --extract "$package" "$directory"; done
