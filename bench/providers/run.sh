#!/bin/sh
# Measures providers in the plugin of the distribution: resident memory after 20,000 calls and a rest,
# and where the backend can be called directly (aws, pkcs11) the median of a call beside its floor: the
# plugin with no backend (local) plus the backend called directly. All in one run, one caller.
#   bench/providers/run.sh                 all providers
#   bench/providers/run.sh aws pkcs11      only these
# Backends: moto for aws (python3 and pip), SoftHSM for pkcs11 (softhsm2 and opensc), fakes of ours for
# azure, gcp and ibm, a key store for local. Needs what bench/plugin/run.sh needs.
# ROUNDS (default 5) of SECONDS_EACH (2) for each side. CALLS (20000): calls before anything is measured.
# Exit code: 0 all targets reached, 1 not, 2 could not measure, 64 wrong usage.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH= cd -- "$here/../.." && pwd)
each=${SECONDS_EACH:-2}
rounds=${ROUNDS:-5}
calls=${CALLS:-20000}
[ $# -gt 0 ] || set -- local pkcs11 aws azure gcp ibm
. "$root/bin/find-jdk.sh"
"$root/keyward" --version >/dev/null || exit 2
keyward=$root/dist/target/keyward/bin/keyward
caches=${KEYWARD_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/keyward}
module=/usr/lib/softhsm/libsofthsm2.so

work=$(mktemp -d)
backend=
plugins=
end() {
  for pid in $plugins $backend; do kill "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap end EXIT
trap 'exit 2' INT TERM

(cd "$root/bench/plugin" && GOTOOLCHAIN=local CGO_ENABLED=0 go build -trimpath -o "$work/load" ./load) || exit 2

await() {
  tries=0
  until "$@" >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 60 ] || { echo "bench: waited in vain: $*" >&2 && exit 2; }
    sleep 1
  done
}

# Each starts a backend in the directory $1 and sets: settings, and where it can be called directly a
# command for that, which prints two medians last; and one for calls with nothing around them.
local_backend() {
  echo bench >"$1/password"
  "$keyward" keystore create --keystore "$1/keys" --password-file "$1/password" 2>/dev/null
  settings="{keystore: $1/keys, passwordFile: $1/password}"
}

pkcs11_backend() {
  SOFTHSM2_CONF=$1/softhsm2.conf
  export SOFTHSM2_CONF
  mkdir "$1/tokens"
  printf 'directories.tokendir = %s\nlog.level = ERROR\n' "$1/tokens" >"$SOFTHSM2_CONF"
  echo 1234 >"$1/pin"
  softhsm2-util --init-token --free --label bench --pin 1234 --so-pin 4321 >/dev/null || exit 2
  pkcs11-tool --module $module --login --pin 1234 --token-label bench --keygen --key-type AES:32 \
    --usage-decrypt --label kek-v1 >/dev/null 2>&1 || exit 2
  directly="$JAVA_HOME/bin/java $here/DirectPkcs11.java $module kek-v1 $1/pin $each"
  barely="$JAVA_HOME/bin/java --enable-native-access=ALL-UNNAMED $here/BarePkcs11.java $module kek-v1 $1/pin $each"
  settings="{module: $module, tokenLabel: bench, keyLabel: kek-v*, pinFile: $1/pin}"
}

aws_backend() {
  moto=$caches/python/moto-5.2.5
  [ -d "$moto" ] || python3 -m pip install --quiet --target "$moto" 'moto[server]==5.2.5'
  cp "$root/testbed/src/main/resources/io/keyward/testbed/moto.py" "$1/start_moto.py"
  PYTHONPATH=$moto PYTHONDONTWRITEBYTECODE=1 python3 "$1/start_moto.py" -H 127.0.0.1 -p 21099 >"$1/moto.log" 2>&1 &
  backend=$!
  await curl -sf http://127.0.0.1:21099/moto-api/data.json
  printf '[default]\naws_access_key_id = bench\naws_secret_access_key = bench\n' >"$1/credentials"
  directly="$JAVA_HOME/bin/java $here/DirectAws.java http://127.0.0.1:21099 $each"
  key=$($directly | cut -d ' ' -f 1)
  settings="{key: $key, endpoint: 'http://127.0.0.1:21099', credentialsFile: $1/credentials, profile: default}"
}

# Class path and main class of a fake; it writes its settings when it is ready.
fake_backend() {
  "$JAVA_HOME/bin/java" -XX:+UseSerialGC -cp "$2" "$3" ${4:+"$4"} "$1" >"$1/fake.log" 2>&1 &
  backend=$!
  await test -s "$1/settings.json"
  settings=$(cat "$1/settings.json")
}

fakes=$root/kms/fakes/target
google=$root/kms/provider-gcp/target
azure_backend() { fake_backend "$1" "$fakes/classes:$(cat "$fakes/fake.classpath")" io.keyward.kms.fakes.FakeBackend azure; }
ibm_backend() { fake_backend "$1" "$fakes/classes:$(cat "$fakes/fake.classpath")" io.keyward.kms.fakes.FakeBackend ibm; }
gcp_backend() { fake_backend "$1" "$google/test-classes:$google/classes:$(cat "$google/fake.classpath")" io.keyward.kms.gcp.FakeCloudKmsServer; }

# A plugin named $1 with provider $2 and the settings $3.
start_plugin() {
  cat >"$work/$1.yaml" <<END
keys: [{name: $1, socket: $work/$1.sock, provider: $2, $2: $3}]
END
  "$keyward" plugin --config "$work/$1.yaml" >"$work/$1.log" 2>&1 &
  plugins="$plugins $!"
  "$work/load" -socket "$work/$1.sock" -mode ready -for 60s >/dev/null || {
    cat "$work/$1.log" >&2
    exit 2
  }
}

# Compilers need some ten thousand calls; a plugin lives for months.
warm() {
  for op in encrypt decrypt; do
    "$work/load" -socket "$work/$1.sock" -op $op -callers 8 -calls $((calls / 2)) -for 600s >/dev/null || exit 2
  done
}

p50() {
  "$work/load" -socket "$work/$1.sock" -op "$2" -for "${each}s" | sed -n 's/.*"p50[A-Za-z]*":\([0-9.]*\).*/\1/p'
}

median() {
  sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# The median of a call of the plugin $1 beside its floor, in turns: machines are faster at one time than
# at another. $2 is the limit.
latency() {
  for round in $(seq "$rounds"); do
    $directly | awk '{ print $(NF - 1), $NF }' >"$work/direct"
    [ -z "$barely" ] || $barely >"$work/bare"
    for op in encrypt decrypt; do
      p50 empty $op >>"$work/empty.$op"
      p50 "$1-plugin" $op >>"$work/$1.$op"
      for floor in direct ${barely:+bare}; do
        cut -d ' ' -f "$([ $op = encrypt ] && echo 1 || echo 2)" "$work/$floor" >>"$work/$floor.$op"
      done
    done
  done
  for op in encrypt decrypt; do
    awk -v n="$1" -v o="$op" -v l="$2" -v e="$(median <"$work/empty.$op")" \
      -v d="$(median <"$work/direct.$op")" -v p="$(median <"$work/$1.$op")" 'BEGIN {
      x = p / (e + d); ok = x <= l
      printf "%-7s %s p50: %d us, floor %d + %d us, ratio %.2f (at most %s)%s\n", n, o, p, e, d, x, l, ok ? "" : " MISSED"
      exit !ok }' || failed=1
    [ -z "$barely" ] || awk -v e="$(median <"$work/empty.$op")" -v b="$(median <"$work/bare.$op")" \
      -v p="$(median <"$work/$1.$op")" 'BEGIN {
      printf "        with bare calls in place of the SDK: %d + %d us, ratio %.2f\n", e, b, p / (e + b) }'
    rm "$work/empty.$op" "$work/direct.$op"
  done
}

failed=0
mkdir "$work/empty"
local_backend "$work/empty"
start_plugin empty local "$settings"
empty_pid=$plugins
warm empty

measure() {
  plugins=$empty_pid
  settings= directly= barely= backend= limit=0
  case $1 in
    local) ram=95 ;;
    pkcs11) ram=95 limit=1.2 ;;
    aws) ram=120 limit=1.7 ;;
    azure | gcp | ibm) ram=120 ;;
    *) echo "bench: no provider $1; say local, pkcs11, aws, azure, gcp or ibm" >&2 && exit 64 ;;
  esac
  mkdir "$work/$1"
  "$1_backend" "$work/$1"
  start_plugin "$1-plugin" "$1" "$settings"
  pid=${plugins##* }
  warm "$1-plugin"
  [ -z "$directly" ] || latency "$1" "$limit"
  sleep 15
  awk -v n="$1" -v c="$calls" -v l="$ram" '/^VmRSS/ { r = $2 * 1.024 / 1000 } /^RssAnon/ { a = $2 * 1.024 / 1000 } END {
    printf "%-7s resident after %d calls: %.1f MB, private %.1f MB (at most %d)%s\n", n, c, r, a, l, r <= l ? "" : " MISSED"
    exit r > l }' "/proc/$pid/status" || failed=1
  for pid in $pid $backend; do
    kill "$pid"
    wait "$pid" 2>/dev/null || true
  done
}

for provider in "$@"; do
  measure "$provider"
done
exit $failed
