#!/bin/sh
# Measures a thousand sites in one process against one real API server; about three minutes.
#   bench/sites/run.sh            1,000 sites, keeps bench/results/sites.json
#   bench/sites/run.sh --peer     the same sites in the loop of the Java Operator SDK, keeps
#                                 bench/results/sites-sdk.json
#   bench/sites/run.sh --quick    200 sites, keeps nothing: does everything work?
# Exit code: 0 every target reached, 1 some not, 2 could not measure.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
cd "$root"
. bin/find-jdk.sh
./mvnw -q -B -DskipTests package -pl bench -am || exit 2
result=
case ${1:-} in
  '')
    result=$root/bench/results/sites.json
    set -- 1000 120 300 "$result" engine
    ;;
  --peer)
    result=$root/bench/results/sites-sdk.json
    set -- 1000 120 300 "$result" sdk
    ;;
  --quick) set -- 200 15 50 - "${2:-engine}" ;;
  *)
    echo "usage: bench/sites/run.sh [--peer | --quick [engine|sdk]]" >&2
    exit 2
    ;;
esac
mkdir -p bench/results
# The operator's flags, but for its heap: it has one site and this has a thousand.
# keep.py adds the measured commit to the result.
exec ${result:+python3 "$root/bench/keep.py" "$result"} \
  "$JAVA_HOME/bin/java" -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=20 \
  -XX:TrimNativeHeapInterval=5000 -XX:+UseCompactObjectHeaders -cp "bench/target/classes:$(cat bench/target/classpath)" \
  io.keyward.bench.sites.ThousandSites "$1" "$2" "$3" "$4" "$5"
