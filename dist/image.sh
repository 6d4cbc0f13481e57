#!/bin/sh
# Packs the distribution into an OCI image, without a daemon: image.sh DISTRIBUTION VERSION COMMIT TIME OUTPUT.tar
# Layers: the C library, the runtime, and the jars with the AOT cache. Nothing in it is a shell, and nothing is
# written at run time.
set -eu
umask 022
distribution=$1 version=$2 commit=$3 time=$4 output=$5
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
. "$here/../bin/find-jdk.sh"
work=$output.work
rm -rf "$work"
mkdir -p "$work/layout"

# Layer 1: what the JVM links to, from the packages of the build machine, with their licenses. The C++ library
# is for the modules of HSMs.
base=$work/base
mkdir -p "$base/etc" "$base/tmp" "$base/lib64" "$base/lib/x86_64-linux-gnu" "$base/usr/share/doc"
chmod 1777 "$base/tmp"
printf 'root:x:0:0:root:/:/none\nkeyward:x:65532:65532:Keyward:/:/none\n' >"$base/etc/passwd"
printf 'root:x:0:\nkeyward:x:65532:\n' >"$base/etc/group"
printf 'hosts: files dns\n' >"$base/etc/nsswitch.conf"
cp -L /lib64/ld-linux-x86-64.so.2 "$base/lib64/"
for name in libc.so.6 libdl.so.2 libm.so.6 libpthread.so.0 librt.so.1 libresolv.so.2 \
  libnss_dns.so.2 libnss_files.so.2 libgcc_s.so.1 libstdc++.so.6; do
  found=$(ldconfig -p | sed -n "s|^[[:space:]]*$name (libc6,x86-64.* => ||p" | head -n 1)
  [ -n "$found" ] || {
    echo "image: $name not found; install the packages libc6, libgcc-s1 and libstdc++6" >&2
    exit 2
  }
  cp -L "$found" "$base/lib/x86_64-linux-gnu/"
done
for package in libc6 libgcc-s1 libstdc++6; do
  [ -f "/usr/share/doc/$package/copyright" ] || continue
  mkdir -p "$base/usr/share/doc/$package"
  cp -L "/usr/share/doc/$package/copyright" "$base/usr/share/doc/$package/"
done

# Layer 2: the runtime.
mkdir -p "$work/runtime/opt/keyward"
cp -a "$distribution/runtime" "$work/runtime/opt/keyward/"

# Layer 3: the jars. One AOT cache serves every provider: of two, either would be unused in any pod.
home=$work/jars/opt/keyward
mkdir -p "$home"
cp -a "$distribution/lib" "$distribution/LICENSE" "$distribution/NOTICE" "$home/"
for cache in "$home"/lib/*.aot; do
  case $cache in
    */plugin-tls.aot) ;;
    *) rm "$cache" ;;
  esac
done
rm -r "$home/lib/flags"

# Files of arguments: java @/opt/keyward/lib/plugin.args plugin --config FILE. args NAME CLASSPATH OPTION FLAGS...
args() {
  name=$1 paths=$2 option=$3
  shift 3
  for flags; do grep -v '^#' "$distribution/lib/flags/$flags"; done >"$home/lib/$name.args"
  {
    [ -z "$option" ] || printf '%s\n' "$option"
    printf '%s\n' -Dkeyward.home=/opt/keyward -cp
    sed 's|[^:]*|/opt/keyward/lib/&|g' "$home/lib/$paths.classpath"
    printf '%s\n' io.keyward.cli.Main
  } >>"$home/lib/$name.args"
}
args keyward all '' command
args audit all '' command audit
args operator all '' command server
args node-agent all '' command server
cache=-XX:AOTCache=/opt/keyward/lib/plugin-tls.aot
args plugin plugin "$cache" plugin
for provider in vault pkcs11 aws azure gcp ibm; do
  args "plugin-$provider" plugin "$cache" plugin "plugin-$provider"
done

layers=
for layer in base runtime jars; do
  find "$work/$layer" ! -type l ! -path '*/tmp' -exec chmod u=rwX,go=rX {} +
  tar --sort=name --format=gnu --mtime="$time" --owner=0 --group=0 --numeric-owner -C "$work/$layer" -cf - . |
    gzip -n -6 >"$work/$layer.tar.gz" &
  layers="$layers $work/$layer.tar.gz"
done
wait
# The names are separate words on purpose.
# shellcheck disable=SC2086
"$JAVA_HOME/bin/java" -XX:TieredStopAtLevel=1 "$here/ImageLayout.java" "$work/layout" "$version" "$commit" "$time" $layers
tar --sort=name --format=gnu --mtime="$time" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
  -C "$work/layout" -cf "$output" blobs index.json oci-layout
rm -rf "$work"
