#!/bin/sh
# Measures the way from the admin's patch to Encrypted=True on three nodes; about two minutes. Needs root.
#   bench/rollout/run.sh            2,000 secrets, keeps bench/results/rollout.json
#   bench/rollout/run.sh --quick    100 secrets, keeps nothing: does everything work?
# Exit code: 0 the target reached, 1 not, 2 could not measure.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
cd "$root"
. bin/find-jdk.sh
./keyward --version >/dev/null || exit 2
./mvnw -q -B -DskipTests package -pl bench -am || exit 2
result=
case ${1:-} in
  '')
    result=$root/bench/results/rollout.json
    set -- 2000 "$result"
    ;;
  --quick) set -- 100 - ;;
  *)
    echo "usage: bench/rollout/run.sh [--quick]" >&2
    exit 2
    ;;
esac
mkdir -p bench/results
# keep.py adds the measured commit to the result.
exec ${result:+python3 "$root/bench/keep.py" "$result"} \
  "$JAVA_HOME/bin/java" -XX:+UseSerialGC -cp "bench/target/classes:$(cat bench/target/classpath)" \
  io.keyward.bench.rollout.TimeToEncrypted "$1" "$root/dist/target/keyward" "$2"
