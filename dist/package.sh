#!/bin/sh
# Lays out what the packages install, and writes the .deb: package.sh DISTRIBUTION VERSION TIME ROOT OUTPUT.deb
# The .rpm is made of the same ROOT by a plugin of Maven.
set -eu
umask 022
distribution=$1 version=$2 time=$3 root=$4 output=$5
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
rm -rf "$root"
mkdir -p "$root"
cp -R "$here/package/root/." "$root/"
mkdir -p "$root/usr/lib" "$root/usr/bin" "$root/etc/keyward" "$root/usr/share/man/man1" \
  "$root/usr/share/bash-completion/completions" "$root/usr/share/zsh/vendor-completions" \
  "$root/usr/share/fish/vendor_completions.d"
cp -a "$distribution" "$root/usr/lib/keyward"
rm -f "$root/usr/lib/keyward/built"
mv "$root"/usr/lib/keyward/share/man/man1/* "$root/usr/share/man/man1/"
rm -r "$root/usr/lib/keyward/share"
chmod 0750 "$root/etc/keyward"
# As the .rpm has them: jlink makes some files read-only.
find "$root" -type f -exec chmod u+w {} +
ln -s ../lib/keyward/bin/keyward "$root/usr/bin/keyward"
# kubectl finds it by its name: kubectl keyward status.
ln -s ../lib/keyward/bin/keyward "$root/usr/bin/kubectl-keyward"
cp "$here/../LICENSE" "$root/usr/share/doc/keyward/copyright"
gzip -n -9 <"$here/../CHANGELOG.md" >"$root/usr/share/doc/keyward/changelog.gz"

keyward=$distribution/bin/keyward
"$keyward" completion bash >"$root/usr/share/bash-completion/completions/keyward"
# zsh loads the file by its name; it is the script for bash, which sets up the emulation itself.
{ echo '#compdef keyward' && "$keyward" completion zsh; } >"$root/usr/share/zsh/vendor-completions/_keyward"
"$keyward" completion fish >"$root/usr/share/fish/vendor_completions.d/keyward.fish"

find "$root" -exec touch -h -d "$time" {} +

# A .deb is an archive of ar with two archives of tar in it.
work=$output.work
rm -rf "$work"
mkdir -p "$work/control"
cat >"$work/control/control" <<END
Package: keyward
Version: $version
Architecture: amd64
Maintainer: The Keyward authors <keyward@localhost>
Installed-Size: $(find "$root" -type f -printf '%s\n' | awk '{ sum += $1 } END { print int(sum / 1024) }')
Depends: libc6 (>= 2.31), passwd
Section: admin
Priority: optional
Description: Encryption at rest for Kubernetes with keys of an external KMS
 KMS plugin, node agent, audit and recovery for what Kubernetes API servers store
 in etcd. Contains its Java runtime.
END
{ printf '#!/bin/sh\nset -e\n' && cat "$here/package/after-install.sh"; } >"$work/control/postinst"
{ printf '#!/bin/sh\nset -e\n' && cat "$here/package/before-remove.sh"; } >"$work/control/prerm"
{ printf '#!/bin/sh\nset -e\n' && cat "$here/package/after-remove.sh"; } >"$work/control/postrm"
chmod 755 "$work/control/postinst" "$work/control/prerm" "$work/control/postrm"
(cd "$root" && find . -type f | LC_ALL=C sort | sed 's|^\./||' | tr '\n' '\0' | xargs -0 md5sum) >"$work/control/md5sums"
echo 2.0 >"$work/debian-binary"
pack() {
  tar --sort=name --format=gnu --mtime="$time" --owner=0 --group=0 --numeric-owner -C "$1" -cf - . | gzip -n -4 >"$2"
}
pack "$work/control" "$work/control.tar.gz"
pack "$root" "$work/data.tar.gz"
member() {
  size=$(($(wc -c <"$work/$1")))
  printf '%-16s%-12s%-6s%-6s%-8s%-10s`\n' "$1" "$(date -u -d "$time" +%s)" 0 0 100644 "$size"
  cat "$work/$1"
  [ $((size % 2)) = 0 ] || echo
}
{ printf '!<arch>\n' && member debian-binary && member control.tar.gz && member data.tar.gz; } >"$output"
rm -rf "$work"
