#!/usr/bin/env bash
# Measures one turn of the engine and the simulator's steps. Needs a quiet machine and python3.
#   bench/engine/run.sh                 measures, keeps bench/results/engine-speed.json
#   bench/engine/run.sh JMH-OPTION...   measures with these options, keeps nothing
#   bench/engine/run.sh --mutation      the mutation score, keeps bench/results/engine.json
set -euo pipefail
cd "$(dirname "$0")/../.."
mkdir -p target bench/results
if [ "${1:-}" = --mutation ]; then
  # Called again by keep.py, which adds the measured commit to the result.
  [ "${2:-}" = --measure ] ||
    exec python3 bench/keep.py bench/results/engine.json bench/engine/run.sh --mutation --measure
  report=core/target/pit-reports/mutations.xml
  rm -f "$report"
  code=0
  ./mvnw -B -ntp -Ppit -pl core test-compile org.pitest:pitest-maven:mutationCoverage || code=$?
  # PIT fails below the threshold; that result is kept, too.
  [ ! -f "$report" ] || python3 bench/engine/result.py mutation "$report" bench/results/engine.json
  exit "$code"
fi
if [ $# -eq 0 ]; then
  exec python3 bench/keep.py bench/results/engine-speed.json bench/engine/run.sh --measure
fi
needed_tool=javac
. bin/find-jdk.sh
classpath=$PWD/target/bench-engine.classpath
./mvnw -q -B -ntp -DskipTests package dependency:build-classpath \
  -pl bench -am -Dmdep.outputFile="$classpath" -Dmdep.includeScope=runtime
jmh() {
  "$JAVA_HOME/bin/java" -cp "bench/target/classes:core/target/classes:testkit/target/classes:$(cat "$classpath")" \
    org.openjdk.jmh.Main EngineBenchmark "$@"
}
if [ "$1" = --measure ]; then
  jmh -f 1 -wi 3 -i 5 -rf json -rff target/bench-engine.json
  python3 bench/engine/result.py speed target/bench-engine.json bench/results/engine-speed.json
else
  jmh "$@"
fi
