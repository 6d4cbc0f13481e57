#!/bin/sh
# Measures our migrator beside the in-tree one and beside plain writes, on one real cluster, and the
# operator at rest; about half an hour.
#   bench/migrator/run.sh            5,000 secrets; prints the table, keeps bench/results/migrator.json
#   bench/migrator/run.sh --short    the same with three rounds instead of seven, keeps nothing; about 15 minutes
#   bench/migrator/run.sh --quick    500 secrets, keeps nothing: does everything work?
# Exit code: 0 every target reached, 1 some not, 2 could not measure.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
cd "$root"
. bin/find-jdk.sh
./keyward --version >/dev/null || exit 2
./mvnw -q -B -DskipTests package -pl bench -am || exit 2
result=
rounds=7
case ${1:-} in
  '')
    result=$root/bench/results/migrator.json
    set -- 5000 60 "$result"
    ;;
  --short)
    rounds=3
    set -- 5000 60 -
    ;;
  --quick) set -- 500 15 - ;;
  *)
    echo "usage: bench/migrator/run.sh [--short | --quick]" >&2
    exit 2
    ;;
esac
mkdir -p bench/results
# What the operator runs with: the migrator is measured in a JVM like its own.
# keep.py adds the measured commit to the result.
exec ${result:+python3 "$root/bench/keep.py" "$result"} \
  "$JAVA_HOME/bin/java" -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "-Dkeyward.bench.rounds=$rounds" -cp "bench/target/classes:$(cat bench/target/classpath)" \
  io.keyward.bench.migrator.CompareMigrators "$1" "$2" "$root/dist/target/keyward" "$3"
