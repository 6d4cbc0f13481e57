#!/bin/sh
# Says at once what the tests need and this machine lacks, and installs the Debian packages among it.
set -eu
lacking=

lacks() {
  lacking="$lacking
  - $1"
}

# version_at_least FOUND WANTED, both as MAJOR.MINOR
version_at_least() {
  [ "${1%%.*}" -gt "${2%%.*}" ] || { [ "${1%%.*}" -eq "${2%%.*}" ] && [ "${1#*.}" -ge "${2#*.}" ]; }
}

[ "$(uname -s)" = Linux ] || lacks "Linux: the tests start real API servers in mount namespaces"
[ "$(id -u)" = 0 ] || lacks "root: the tests mount file systems in namespaces of their own; run this as root"
command -v unshare >/dev/null 2>&1 || lacks "unshare (package util-linux)"

go_version=$(go env GOVERSION 2>/dev/null | sed -n 's/^go\([0-9]*\.[0-9]*\).*/\1/p' || true)
if [ -z "$go_version" ] || ! version_at_least "$go_version" 1.26; then
  lacks "Go 1.26 or newer (found: ${go_version:-none})"
fi

python_version=$(python3 -c 'import pip, sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || true)
if [ -z "$python_version" ] || ! version_at_least "$python_version" 3.10; then
  lacks "Python 3.10 or newer with pip (found: ${python_version:-none}; packages python3 and python3-pip)"
fi

# needs PROGRAM PACKAGE: adds the package to those that are not installed
packages=
needs() {
  command -v "$1" >/dev/null 2>&1 || packages="$packages $2"
}
needs softhsm2-util softhsm2
needs pkcs11-tool opensc
case " $* " in
  *" -DnoContainers"*) ;;
  *)
    for program in containerd runc iptables conntrack socat ethtool haproxy openssl; do
      needs "$program" "$program"
    done
    needs ip iproute2
    needs busybox busybox-static
    # The packages are installed on a copy of this machine.
    needs rpm rpm
    needs systemd-analyze systemd
    needs man man-db
    [ -e /usr/lib/cni/bridge ] || packages="$packages containernetworking-plugins"
    ;;
esac
if [ -n "$packages" ]; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "check-needs: installing$packages" >&2
    log=$(mktemp)
    # The names are separate words on purpose.
    # shellcheck disable=SC2086
    if ! { apt-get update && apt-get install -y --no-install-recommends $packages; } >"$log" 2>&1; then
      tail -n 5 "$log" >&2
      lacks "the packages$packages, which apt-get could not install"
    fi
    rm -f "$log"
  else
    lacks "the packages$packages"
  fi
fi

if [ -n "$lacking" ]; then
  echo "check-needs: the tests cannot run here. Missing:$lacking" >&2
  echo "To build without tests: ./mvnw package -DskipTests" >&2
  exit 2
fi
