#!/bin/sh
# Packs the distribution into an OCI image, without a daemon:
#   image.sh DISTRIBUTION VERSION COMMIT TIME OUTPUT.tar [ARM64]
# Layers: the C library, the runtime, and the jars with the AOT cache. Nothing in it is a shell, and nothing is
# written at run time. With ARM64, a directory made by arm64-packages.sh, the image is for arm64: its runtime is
# linked from the modules there, and it has no AOT cache, because only a machine of that kind can train one.
set -eu
umask 022
distribution=$1 version=$2 commit=$3 time=$4 output=$5 arm64=${6:-}
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
needed_tool=jlink
. "$here/../bin/find-jdk.sh"
work=$output.work
rm -rf "$work"
mkdir -p "$work/layout"
architecture=amd64 triplet=x86_64-linux-gnu loader=lib64/ld-linux-x86-64.so.2
libraries='libc.so.6 libdl.so.2 libm.so.6 libpthread.so.0 librt.so.1 libresolv.so.2
  libnss_dns.so.2 libnss_files.so.2 libgcc_s.so.1 libstdc++.so.6'
packages='libc6 libgcc-s1 libstdc++6'
if [ -n "$arm64" ]; then
  architecture=arm64 triplet=aarch64-linux-gnu loader=lib/ld-linux-aarch64.so.1
  # The Debian package of a JDK links to the zlib of the system.
  libraries="$libraries libz.so.1"
  packages="$packages zlib1g"
fi

# library NAME: its file, from the packages of the build machine or from those for arm64
library() {
  if [ -n "$arm64" ]; then
    find "$arm64" -name "$1" -path "*/$triplet/*" | head -n 1
  else
    ldconfig -p | sed -n "s|^[[:space:]]*$1 (libc6,x86-64.* => ||p" | head -n 1
  fi
}

# Layer 1: what the JVM links to, with its licenses. The C++ library is for the modules of HSMs.
base=$work/base
mkdir -p "$base/etc" "$base/tmp" "$base/${loader%/*}" "$base/lib/$triplet" "$base/usr/share/doc"
chmod 1777 "$base/tmp"
printf 'root:x:0:0:root:/:/none\nkeyward:x:65532:65532:Keyward:/:/none\n' >"$base/etc/passwd"
printf 'root:x:0:\nkeyward:x:65532:\n' >"$base/etc/group"
printf 'hosts: files dns\n' >"$base/etc/nsswitch.conf"
if [ -n "$arm64" ]; then
  cp -L "$(library "${loader##*/}")" "$base/$loader"
else
  cp -L "/$loader" "$base/$loader"
fi
for name in $libraries; do
  found=$(library "$name")
  [ -n "$found" ] || {
    echo "image: $name not found; install the packages $packages" >&2
    exit 2
  }
  cp -L "$found" "$base/lib/$triplet/"
done
for package in $packages; do
  [ -f "$arm64/usr/share/doc/$package/copyright" ] || continue
  mkdir -p "$base/usr/share/doc/$package"
  cp -L "$arm64/usr/share/doc/$package/copyright" "$base/usr/share/doc/$package/"
done

# Layer 2: the runtime.
mkdir -p "$work/runtime/opt/keyward"
if [ -n "$arm64" ]; then
  jmods=$(find "$arm64/usr/lib/jvm" -type d -name jmods)
  modules=$("$distribution/runtime/bin/java" --list-modules | sed 's/@.*//' | tr '\n' ',')
  linked=$work/runtime/opt/keyward/runtime
  "$JAVA_HOME/bin/jlink" --module-path "$jmods" --add-modules "${modules%,}" --output "$linked" --compress zip-9 \
    --strip-java-debug-attributes --no-header-files --no-man-pages --dedup-legal-notices=error-if-not-same-content
  for tool in jfr jwebserver keytool; do rm -f "$linked/bin/$tool"; done
  # One configuration, and the same certificates, on both.
  rm -rf "$linked/conf" "$linked/lib/security"
  cp -a "$distribution/runtime/conf" "$linked/"
  cp -a "$distribution/runtime/lib/security" "$linked/lib/"
else
  cp -a "$distribution/runtime" "$work/runtime/opt/keyward/"
fi

# Layer 3: the jars. One AOT cache serves every provider: of two, either would be unused in any pod.
home=$work/jars/opt/keyward
mkdir -p "$home"
cp -a "$distribution/lib" "$distribution/LICENSE" "$distribution/NOTICE" "$home/"
for cache in "$home"/lib/*.aot; do
  case $cache in
    */plugin-tls.aot) [ -z "$arm64" ] || rm "$cache" ;;
    *) rm "$cache" ;;
  esac
done
rm -r "$home/lib/flags"

# Files of arguments: java @/opt/keyward/lib/plugin.args plugin --config FILE. args NAME CLASSPATH OPTION FLAGS...
main=io.keyward.cli.Main
args() {
  name=$1 paths=$2 option=$3
  shift 3
  for flags; do grep -v '^#' "$distribution/lib/flags/$flags"; done >"$home/lib/$name.args"
  {
    [ -z "$option" ] || printf '%s\n' "$option"
    printf '%s\n' -Dkeyward.home=/opt/keyward -cp
    sed 's|[^:]*|/opt/keyward/lib/&|g' "$home/lib/$paths.classpath"
    printf '%s\n' "$main"
  } >>"$home/lib/$name.args"
}
args keyward all '' command
args audit all '' command audit
args operator all '' command server
args node-agent all '' command server
cache=-XX:AOTCache=/opt/keyward/lib/plugin-tls.aot
[ -z "$arm64" ] || cache=
args plugin plugin "$cache" plugin
for provider in vault pkcs11 aws azure gcp ibm; do
  args "plugin-$provider" plugin "$cache" plugin "plugin-$provider"
done
# The startup probe: java @/opt/keyward/lib/plugin-ready.args PATH... It needs one class, and no AOT cache.
tr : '\n' <"$home/lib/plugin.classpath" | grep '^keyward-kms-client-' >"$home/lib/ready.classpath"
main=io.keyward.kms.client.SocketsReady
args plugin-ready ready '' ready
rm "$home/lib/ready.classpath"

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
"$JAVA_HOME/bin/java" -XX:TieredStopAtLevel=1 "$here/ImageLayout.java" "$work/layout" "$version" "$commit" "$time" \
  "$architecture" $layers
tar --sort=name --format=gnu --mtime="$time" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
  -C "$work/layout" -cf "$output" blobs index.json oci-layout
rm -rf "$work"
