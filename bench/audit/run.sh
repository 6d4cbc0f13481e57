#!/bin/sh
# Measures the audit beside etcdutl, cat and etcdctl. Needs Go 1.26, JDK 25, openssl,
# python3 and 10 GB of disk.
#   bench/audit/run.sh            measures, prints the table, keeps bench/results/audit.json
#   bench/audit/run.sh --quick    fewer keys, one round, keeps nothing: does everything work?
# The first run makes the snapshots with a real etcd (some minutes); later runs use them again.
# Exit code: 0 every target reached, 1 some not, 2 could not measure.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH= cd -- "$here/../.." && pwd)

for program in go openssl; do
  command -v "$program" >/dev/null 2>&1 || {
    echo "bench: $program not found; install Go 1.26 or newer, and openssl" >&2
    exit 2
  }
done
keys='-big 1000000 -small 100000'
result=
case ${1:-} in
  '')
    result=$root/bench/results/audit.json
    set -- -out "$result"
    ;;
  --quick)
    shift
    keys='-big 40000 -small 10000'
    set -- -rounds 1 "$@"
    ;;
esac

# Programs and snapshots live outside the checkout, under the hash of what they are made from.
cache=${KEYWARD_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/keyward}/bench
hash_of() { sha256sum | cut -c 1-16; }
etcd=$root/testbed/src/main/resources/io/keyward/testbed/servers/etcd
programs=$cache/$(cd "$here" && cat go.mod go.sum */*.go "$etcd/go.mod" "$etcd/go.sum" | hash_of)
if [ ! -x "$programs/compare" ]; then
  echo "bench: building etcd's programs, the generator and the comparison (about a minute)" >&2
  mkdir -p "$cache"
  fresh=$(mktemp -d "$programs.XXXXXX")
  trap 'rm -rf "$fresh"' EXIT
  export GOTOOLCHAIN=local CGO_ENABLED=0
  for pair in etcd:server etcdctl:etcdctl etcdutl:etcdutl; do
    (cd "$etcd" && go build -trimpath -tags minimal -o "$fresh/${pair%:*}" "go.etcd.io/etcd/${pair#*:}/v3") || exit 2
  done
  (cd "$here" && go build -trimpath -o "$fresh/" ./fill ./compare) || exit 2
  # If two builds race, either result is right: the name says what is in it.
  mv -T "$fresh" "$programs" 2>/dev/null || rm -rf "$fresh"
  trap - EXIT
fi

"$root/keyward" --version >/dev/null || exit 2
keyward=$root/dist/target/keyward/bin/keyward
data=$cache/audit-$(cd "$here" && { cat fill/*.go && echo "$keys"; } | hash_of)
if [ ! -d "$data" ]; then
  echo "bench: filling etcd ($keys), once; kept in $data" >&2
  # shellcheck disable=SC2086 # two options and their values
  "$programs/fill" -keyward "$keyward" -etcd "$programs/etcd" -etcdctl "$programs/etcdctl" -out "$data" $keys || exit 2
fi

mkdir -p "$root/bench/results"
# Longer than this is a hang, not a slow machine.
# keep.py adds the measured commit to the result.
exec ${result:+python3 "$root/bench/keep.py" "$result"} \
  timeout --signal=TERM --kill-after=20 1800 "$programs/compare" \
  -keyward "$keyward" -programs "$programs" -data "$data" "$@"
