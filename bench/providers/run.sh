#!/bin/sh
# Measures a provider in the plugin beside its floor: the plugin with no backend (local), plus the
# backend called directly. One caller, in one run. Needs what bench/plugin/run.sh needs.
#   bench/providers/run.sh aws      with moto (python3 and pip); p50 at most 1.7 x floor
#   bench/providers/run.sh pkcs11   with SoftHSM (Debian's softhsm2 and opensc); p50 at most 1.2 x floor
# SECONDS_EACH (default 5) is the length of each measurement.
# Exit code: 0 target reached, 1 not, 2 could not measure.
set -eu
provider=${1:-}
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH= cd -- "$here/../.." && pwd)
each=${SECONDS_EACH:-5}
case $provider in
  aws) limit=1.7 ram=120 ;;
  pkcs11) limit=1.2 ram=95 ;;
  *)
    echo "bench: say aws or pkcs11" >&2
    exit 64
    ;;
esac
. "$root/bin/find-jdk.sh"
"$root/keyward" --version >/dev/null || exit 2
keyward=$root/dist/target/keyward/bin/keyward
caches=${KEYWARD_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/keyward}

work=$(mktemp -d)
pids=
end() {
  for pid in $pids; do kill "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap end EXIT

(cd "$root/bench/plugin" && GOTOOLCHAIN=local CGO_ENABLED=0 go build -trimpath -o "$work/load" ./load) || exit 2

if [ "$provider" = aws ]; then
  [ -d "$caches/python/moto-5.2.5" ] || python3 -m pip install --quiet --target "$caches/python/moto-5.2.5" 'moto[server]==5.2.5'
  cp "$root/testbed/src/main/resources/io/keyward/testbed/moto.py" "$work/start_moto.py"
  PYTHONPATH=$caches/python/moto-5.2.5 python3 "$work/start_moto.py" -H 127.0.0.1 -p 21099 >"$work/moto.log" 2>&1 &
  pids="$pids $!"
  tries=0
  until curl -sf http://127.0.0.1:21099/moto-api/data.json >/dev/null; do
    tries=$((tries + 1))
    [ "$tries" -lt 60 ] || exit 2
    sleep 1
  done
  printf '[default]\naws_access_key_id = bench\naws_secret_access_key = bench\n' >"$work/credentials"
  direct=$("$JAVA_HOME/bin/java" "$here/DirectAws.java" http://127.0.0.1:21099 "$each")
  settings="key: ${direct%% *}, endpoint: 'http://127.0.0.1:21099', credentialsFile: $work/credentials, profile: default"
  direct=${direct#* }
else
  SOFTHSM2_CONF=$work/softhsm2.conf
  export SOFTHSM2_CONF
  mkdir "$work/tokens"
  printf 'directories.tokendir = %s\nlog.level = ERROR\n' "$work/tokens" >"$SOFTHSM2_CONF"
  module=/usr/lib/softhsm/libsofthsm2.so
  echo 1234 >"$work/pin"
  softhsm2-util --init-token --free --label bench --pin 1234 --so-pin 4321 >/dev/null || exit 2
  pkcs11-tool --module $module --login --pin 1234 --token-label bench --keygen --key-type AES:32 \
    --usage-decrypt --label kek-v1 >/dev/null || exit 2
  direct=$("$JAVA_HOME/bin/java" "$here/DirectPkcs11.java" $module kek-v1 "$work/pin" "$each")
  settings="module: $module, tokenLabel: bench, keyLabel: kek-v*, pinFile: $work/pin"
fi

echo bench >"$work/password"
"$keyward" keystore create --keystore "$work/keys" --password-file "$work/password" 2>/dev/null
cat >"$work/empty.yaml" <<END
keys: [{name: empty, socket: $work/empty.sock, provider: local, local: {keystore: $work/keys, passwordFile: $work/password}}]
END
cat >"$work/measured.yaml" <<END
keys: [{name: measured, socket: $work/measured.sock, provider: $provider, $provider: {$settings}}]
END
for each_plugin in empty measured; do
  "$keyward" plugin --config "$work/$each_plugin.yaml" >"$work/$each_plugin.log" 2>&1 &
  pids="$pids $!"
done
measured=${pids##* }
for each_plugin in empty measured; do
  "$work/load" -socket "$work/$each_plugin.sock" -mode ready -for 60s >/dev/null || {
    cat "$work/$each_plugin.log" >&2
    exit 2
  }
done

p50() {
  # The first run warms the JVM up.
  "$work/load" -socket "$work/$1.sock" -op "$2" -for "${each}s" >/dev/null
  "$work/load" -socket "$work/$1.sock" -op "$2" -for "${each}s" | tee -a "$work/raw" | sed -n 's/.*"p50[A-Za-z]*":\([0-9.]*\).*/\1/p'
}
failed=0
echo "operation  empty us  direct us  plugin us  x floor (at most $limit)"
for op in encrypt decrypt; do
  empty=$(p50 empty $op)
  backend=$(echo "$direct" | cut -d ' ' -f "$([ $op = encrypt ] && echo 1 || echo 2)")
  plugin=$(p50 measured $op)
  awk -v o="$op" -v e="$empty" -v d="$backend" -v p="$plugin" -v l="$limit" \
    'BEGIN { x = p / (e + d); printf "%-9s  %8d  %9d  %9d  %.2f\n", o, e, d, p, x; exit x > l }' || failed=1
done
rss=$(awk '/^VmRSS/ { print int($2 / 1024) }' "/proc/$measured/status")
echo "resident: $rss MB (at most $ram)"
[ "$rss" -le "$ram" ] || failed=1
exit $failed
