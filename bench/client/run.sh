#!/bin/sh
# Compares requests of the class Api with those of the typed client, on one real API server and in
# turns; about three minutes. Keeps bench/results/client.json.
#   bench/client/run.sh
# Exit code: 0 measured, 2 could not measure.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
cd "$root"
. bin/find-jdk.sh
./mvnw -q -B -DskipTests package -pl bench -am || exit 2
exec python3 "$root/bench/keep.py" "$root/bench/results/client.json" python3 "$root/bench/client/compare.py" "$JAVA_HOME/bin/java"
