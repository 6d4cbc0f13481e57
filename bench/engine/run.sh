#!/usr/bin/env bash
# Measures one turn of the engine and the simulator's steps. Needs a quiet machine.
# usage: bench/engine/run.sh [JMH options]      the mutation score: bench/engine/run.sh --mutation
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ "${1:-}" = --mutation ]; then
  exec ./mvnw -B -ntp -Ppit -pl core test-compile org.pitest:pitest-maven:mutationCoverage
fi
needed_tool=javac
. bin/find-jdk.sh
classpath=$PWD/target/bench-engine.classpath
mkdir -p target
./mvnw -q -B -ntp -DskipTests package dependency:build-classpath \
  -pl bench -am -Dmdep.outputFile="$classpath" -Dmdep.includeScope=runtime
[ $# -gt 0 ] || set -- -f 1 -wi 3 -i 5
exec "$JAVA_HOME/bin/java" -cp "bench/target/classes:core/target/classes:testkit/target/classes:$(cat "$classpath")" \
  org.openjdk.jmh.Main EngineBenchmark "$@"
