#!/bin/sh
# Measures the plugin with a real Vault beside its floor, with TLS and over plain HTTP; about seven
# minutes. Needs Go 1.26, JDK 25, python3 and the Vault that the testbed builds.
#   bench/vault/run.sh            measures, prints the table, keeps bench/results/vault.json
#   bench/vault/run.sh --quick    one short round, keeps nothing: does everything work?
# Exit code: 0 every target reached, 1 some not, 2 could not measure.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH= cd -- "$here/../.." && pwd)
cache=${KEYWARD_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/keyward}

command -v go >/dev/null 2>&1 || {
  echo "bench: Go not found; install Go 1.26 or newer" >&2
  exit 2
}
vault=$(ls -t "$cache"/servers/*/vault 2>/dev/null | head -n 1)
[ -n "$vault" ] || {
  echo "bench: no Vault yet; './mvnw verify -pl testbed -am' builds it" >&2
  exit 2
}
result=
case ${1:-} in
  '')
    result=$root/bench/results/vault.json
    set -- -out "$result"
    ;;
  --quick)
    shift
    set -- -rounds 1 -slice 300ms -warm 500 "$@"
    ;;
esac

sources=$(cd "$root/bench/plugin" && cat go.mod go.sum caller/*.go vault/*.go | sha256sum | cut -c 1-16)
built=$cache/bench/vault-$sources
[ -x "$built" ] || {
  mkdir -p "$cache/bench"
  (cd "$root/bench/plugin" && GOTOOLCHAIN=local CGO_ENABLED=0 go build -trimpath -o "$built.$$" ./vault) || exit 2
  mv "$built.$$" "$built"
}
"$root/keyward" --version >/dev/null || exit 2
mkdir -p "$root/bench/results"
# keep.py adds the measured commit to the result.
exec ${result:+python3 "$root/bench/keep.py" "$result"} \
  timeout --signal=TERM --kill-after=20 900 "$built" \
  -keyward "$root/dist/target/keyward/bin/keyward" -vault "$vault" "$@"
