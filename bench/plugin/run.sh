#!/bin/sh
# Measures the plugin beside a reference plugin in Go; about five minutes. Needs Go 1.26, JDK 25 and python3.
#   bench/plugin/run.sh            measures, prints the table, keeps bench/results/plugin.json
#   bench/plugin/run.sh --quick    one short round, keeps nothing: does everything work?
# Exit code: 0 every target reached, 1 some not, 2 could not measure.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH= cd -- "$here/../.." && pwd)

command -v go >/dev/null 2>&1 || {
  echo "bench: Go not found; install Go 1.26 or newer" >&2
  exit 2
}
result=
case ${1:-} in
  '')
    result=$root/bench/results/plugin.json
    set -- -out "$result"
    ;;
  --quick)
    shift
    set -- -rounds 1 -slice 200ms -settle 6s "$@"
    ;;
esac

# Binaries live outside the checkout, under the hash of what they are made from.
sources=$(cd "$here" && cat go.mod go.sum */*.go | sha256sum | cut -c 1-16)
cache=${KEYWARD_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/keyward}/bench/$sources
if [ ! -x "$cache/compare" ]; then
  echo "bench: building the reference plugin and the load generator (about a minute)" >&2
  mkdir -p "$(dirname -- "$cache")"
  fresh=$(mktemp -d "$cache.XXXXXX")
  trap 'rm -rf "$fresh"' EXIT
  (cd "$here" && GOTOOLCHAIN=local CGO_ENABLED=0 go build -trimpath -o "$fresh/" ./reference ./load ./compare) || exit 2
  # If two builds race, either result is right: the name says what is in it.
  mv -T "$fresh" "$cache" 2>/dev/null || rm -rf "$fresh"
  trap - EXIT
fi

"$root/keyward" --version >/dev/null || exit 2
mkdir -p "$root/bench/results"
# Longer than this is a hang, not a slow machine.
# keep.py adds the measured commit to the result.
exec ${result:+python3 "$root/bench/keep.py" "$result"} \
  timeout --signal=TERM --kill-after=20 1500 "$cache/compare" \
  -keyward "$root/dist/target/keyward/bin/keyward" -reference "$cache/reference" "$@"
