#!/bin/sh
# Measures a restart of API servers: bench/burst.sh [SEEDS [API-SERVERS [CALLS-AT-ONCE]]]
# Keyward beside a plugin that makes one call to the KMS for each request. Nothing is kept. Less than a
# minute after the build. Exit code: 0 reached, 1 not.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
. bin/find-jdk.sh
./mvnw -q -B -DskipTests package -pl bench -am
# A large heap: thousands of callers and the KMS live in this process too.
exec "$JAVA_HOME/bin/java" -Xmx1g -cp "bench/target/classes:$(cat bench/target/classpath)" \
  io.keyward.bench.burst.CompareBurst "$@"
