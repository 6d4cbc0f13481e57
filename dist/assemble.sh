#!/bin/sh
# Lays out the distribution: assemble.sh CLASSPATH-FILE OUTPUT-DIRECTORY TIME
# Every file but the AOT caches gets TIME, such as 2026-01-01T00:00:00Z.
set -eu
umask 022
classpath=$1
out=$2
time=$3
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
needed_tool=jlink
. "$here/../bin/find-jdk.sh"

rm -rf "$out"
mkdir -p "$out/bin" "$out/lib/flags"
cp "$here/keyward" "$here/../bin/find-jdk.sh" "$out/bin/"
chmod 755 "$out/bin/keyward"
cp "$here"/flags/* "$out/lib/flags/"
cp "$here/../LICENSE" "$here/../NOTICE" "$out/"

# The JVM and the modules that Keyward and its libraries use. jdeps finds most of them; reflection and
# service loading need jdk.crypto.cryptoki (PKCS#11), jdk.management and java.naming. java.desktop is left
# out although libraries name it: they do without. jdk.jfr is for those who look for a problem.
modules=java.base,java.logging,java.management,java.naming,java.net.http,java.security.jgss,java.sql,java.xml
modules=$modules,jdk.crypto.cryptoki,jdk.httpserver,jdk.jfr,jdk.management,jdk.net,jdk.unsupported
# Compressed: start-up reads its classes from the AOT caches.
"$JAVA_HOME/bin/jlink" --add-modules $modules --output "$out/runtime" --compress zip-9 \
  --strip-java-debug-attributes --no-header-files --no-man-pages --dedup-legal-notices=error-if-not-same-content
for tool in jfr jwebserver keytool; do rm -f "$out/runtime/bin/$tool"; done
# jlink keeps the names of security providers whose modules are left out. The JVM would look for each on the
# class path, and load all of Bouncy Castle for it, in every process that uses TLS.
security=$out/runtime/conf/security/java.security
sed -e '/^security\.provider\.[0-9]*=\(XMLDSig\|JdkSASL\|SunPCSC\|Apple.*\)$/d' "$security" |
  awk '/^security\.provider\.[0-9]/ { sub(/\.[0-9]+=/, "." ++n "=") } { print }' >"$security.new"
mv "$security.new" "$security"

# The plugin runs beside every API server, so it gets only the jars it needs: each jar on the class
# path costs it start-up time and memory. A jar that is missing here fails the plugin's own tests.
all=
plugin=
# Jars are listed with colons between them; their directories may have blanks in their names.
set -f
IFS=:
for jar in $(cat "$classpath"); do
  name=${jar##*/}
  cp "$jar" "$out/lib/$name"
  all=$all:$name
  case $name in
    keyward-cli-* | keyward-http-* | keyward-kms-* | keyward-serve-*) plugin=$plugin:$name ;;
    grpc-* | netty-* | protobuf-javalite-* | guava-* | failureaccess-* | perfmark-api-* | gson-*) plugin=$plugin:$name ;;
    prometheus-metrics-* | snakeyaml-engine-* | jackson-core-* | picocli-* | jspecify-*) plugin=$plugin:$name ;;
  esac
done
unset IFS
set +f
printf '%s\n' "${all#:}" >"$out/lib/all.classpath"
printf '%s\n' "${plugin#:}" >"$out/lib/plugin.classpath"

# Providers whose SDKs bring many jars get a directory each and a class loader of their own. What they
# share with the plugin, the SPI, is not in it. They are on no class path: nobody pays for them but
# those who configure them.
for list in "$here"/../kms/provider-*/target/provider.classpath; do
  [ -f "$list" ] || continue
  module=${list%/target/*}
  name=${module##*/provider-}
  mkdir -p "$out/lib/providers/$name"
  cp "$module"/target/keyward-kms-provider-"$name"-*.jar "$out/lib/providers/$name/"
  set -f
  IFS=:
  for jar in $(cat "$list"); do
    case ${jar##*/} in
      keyward-kms-spi-* | jspecify-*) ;;
      *) cp "$jar" "$out/lib/providers/$name/" ;;
    esac
  done
  unset IFS
  set +f
done

# A manual page for each command.
"$out/runtime/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$out/lib/*" io.keyward.cli.ManPages \
  "$out/share/man/man1" "${time%%T*}"
gzip -n -9 "$out"/share/man/man1/*.1

# What the launcher prints for --help.
"$out/runtime/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$out/lib/*" io.keyward.cli.Main --help \
  >"$out/lib/help.txt"

# The JVM refuses an AOT cache whose jars or runtime look changed. With one fixed time they look the same
# after they were packed and unpacked, and two builds are the same.
find "$out" -exec touch -h -d "$time" {} +

# The classes of the JDK for commands without an AOT cache of their own.
"$out/runtime/bin/java" -XX:+UseSerialGC -XX:+UseCompactObjectHeaders -Xshare:dump -Xlog:disable -Xlog:all=error:stderr

# The AOT caches: a plugin is started once, serves some calls and is stopped; the JVM notes what it
# loaded and what was worth compiling. train NAME PROVIDER SETTINGS
training=$(mktemp -d)
fake=
trap 'if [ -n "$fake" ]; then kill "$fake" 2>/dev/null || true; fi; rm -rf "$training"' EXIT
await_port() {
  for _ in $(seq 300); do
    [ ! -s "$training/port" ] || return 0
    sleep 0.2
  done
}
train() {
  printf 'listen: 127.0.0.1:0\nkeys:\n  - name: training\n    socket: %s\n    provider: %s\n    %s: {%s}\n' \
    "$training/s" "$2" "$2" "$3" >"$training/$1.yaml"
  KEYWARD_AOT=train KEYWARD_JAVA_OPTS=-Dkeyward.warmUpCalls=600 \
    "$out/bin/keyward" plugin --config "$training/$1.yaml" >"$training/log" 2>&1 &
  pid=$!
  if ! "$out/bin/keyward" preflight --endpoint "unix://$training/s" --timeout 60s --slow 10s >"$training/preflight"; then
    cat "$training/preflight" "$training/log" >&2
    kill "$pid" 2>/dev/null || true
    exit 1
  fi
  kill "$pid"
  wait "$pid" || true
  [ -s "$out/lib/$1.aot" ] || {
    echo "assemble: the JVM wrote no AOT cache" >&2
    cat "$training/log" >&2
    exit 1
  }
}

echo training >"$training/password"
"$out/bin/keyward" keystore create --keystore "$training/keys" --password-file "$training/password" 2>/dev/null
train plugin local "keystore: $training/keys, passwordFile: $training/password"

# With TLS, to a fake Vault.
keytool() {
  "$JAVA_HOME/bin/keytool" -alias vault -keystore "$training/tls" -storepass training "$@" 2>"$training/keytool"
}
keytool -genkeypair -keyalg EC -dname CN=training -ext san=ip:127.0.0.1
keytool -exportcert -rfc >"$training/ca.pem"
"$JAVA_HOME/bin/java" -XX:TieredStopAtLevel=1 "$here/FakeVault.java" "$training/tls" training "$training/port" &
fake=$!
await_port
port=$(cat "$training/port")
train plugin-tls vault "address: 'https://127.0.0.1:$port', \
caFile: $training/ca.pem, key: training, auth: token, tokenFile: $training/password"

# Of the commands that people wait for. They run in one process; the cluster is the fake again.
cat >"$training/kubeconfig" <<END
apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://127.0.0.1:$port", certificate-authority: "$training/ca.pem"}}]
users: [{name: u, user: {token: training}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
END
class_path=
IFS=:
for jar in ${all#:}; do class_path=$class_path:$out/lib/$jar; done
unset IFS
cluster="--kubeconfig $training/kubeconfig"
"$out/runtime/bin/java" "@$out/lib/flags/command" "@$out/lib/flags/short" "-XX:AOTCacheOutput=$out/lib/keyward.aot" \
  -Dkeyward.home="$out" -cp "${class_path#:}" io.keyward.cli.Training \
  --help version "version -o json" "status $cluster" "status -o json $cluster" "explain $cluster" \
  "audit --help" "preflight --endpoint unix://$training/none --timeout 1s" "completion bash" >"$training/log" 2>&1
[ -s "$out/lib/keyward.aot" ] || {
  echo "assemble: no AOT cache keyward" >&2
  cat "$training/log" >&2
  exit 1
}

# And of audits: one of a snapshot with some thousand keys, and one of a fake etcd that runs. They have
# findings, so they end with 1. train_audit NAME OPTION VALUE
train_audit() {
  code=0
  KEYWARD_AOT=train "$out/bin/keyward" audit -o json "$2" "$3" >"$training/log" 2>&1 || code=$?
  if [ "$code" != 1 ] || [ ! -s "$out/lib/$1.aot" ]; then
    echo "assemble: no AOT cache $1: the audit ended with $code" >&2
    cat "$training/log" >&2
    exit 1
  fi
}
gzip -dc "$here/../etcd/src/test/resources/vectors/public-large.db.gz" >"$training/snapshot.db"
train_audit audit --snapshot "$training/snapshot.db"
kill "$fake"
rm "$training/port"
"$JAVA_HOME/bin/java" -XX:TieredStopAtLevel=1 --sun-misc-unsafe-memory-access=allow \
  -cp "$out/lib/*" "$here/FakeEtcd.java" "$training/port" &
fake=$!
await_port
train_audit audit-etcd --etcd "http://127.0.0.1:$(cat "$training/port")"
