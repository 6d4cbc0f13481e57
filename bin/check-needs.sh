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

if ! command -v softhsm2-util >/dev/null 2>&1 || ! command -v pkcs11-tool >/dev/null 2>&1; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "check-needs: installing softhsm2 and opensc" >&2
    log=$(mktemp)
    if ! { apt-get update && apt-get install -y --no-install-recommends softhsm2 opensc; } >"$log" 2>&1; then
      tail -n 5 "$log" >&2
      lacks "the packages softhsm2 and opensc, which apt-get could not install"
    fi
    rm -f "$log"
  else
    lacks "the packages softhsm2 and opensc"
  fi
fi

if [ -n "$lacking" ]; then
  echo "check-needs: the tests cannot run here. Missing:$lacking" >&2
  echo "To build without tests: ./mvnw package -DskipTests" >&2
  exit 2
fi
