#!/bin/sh
# Measures the start of the commands that people wait for: --help, version and status. Less than a minute.
#   bench/start/run.sh            measures, keeps bench/results/start.json
#   bench/start/run.sh --quick    three rounds, keeps nothing: does everything work?
# Exit code: 0 every target reached, 1 some not, 2 could not measure.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH= cd -- "$here/../.." && pwd)
distribution=$root/dist/target/keyward
[ -x "$distribution/bin/keyward" ] || {
  echo "bench: no distribution yet; './mvnw package -DskipTests -pl dist -am' builds it" >&2
  exit 2
}
if [ "${1:-}" = --quick ]; then
  exec python3 "$here/measure.py" "$distribution" 3
fi
result=$root/bench/results/start.json
exec python3 "$root/bench/keep.py" "$result" python3 "$here/measure.py" "$distribution" 15 "$result"
