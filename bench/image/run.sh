#!/bin/sh
# Measures the start of the plugin in the image beside the distribution, in turns: from the start of the
# process to the socket. Also prints the unpacked size of the image. Needs root, containerd and runc.
#   bench/image/run.sh            measures, keeps bench/results/image.json
#   bench/image/run.sh --quick    three rounds, keeps nothing: does everything work?
# Exit code: 0 every target reached, 1 some not, 2 could not measure.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH= cd -- "$here/../.." && pwd)
target=$root/dist/target
set -- "${1:-}"
image=$(ls "$target"/keyward-*-image-amd64.tar 2>/dev/null | head -n 1)
[ -n "$image" ] && [ -x "$target/keyward/bin/keyward" ] || {
  echo "bench: no image yet; './mvnw package -DskipTests -pl dist -am' builds it" >&2
  exit 2
}
result=$root/bench/results/image.json
if [ "$1" = --quick ]; then
  exec python3 "$here/measure.py" "$target/keyward" "$image" 3
fi
exec python3 "$root/bench/keep.py" "$result" python3 "$here/measure.py" "$target/keyward" "$image" 15 "$result"
