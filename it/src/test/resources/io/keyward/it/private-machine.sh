#!/bin/sh
# Boots a copy of this machine with its real systemd: private-machine.sh DIRECTORY ARTEFACTS
# The copy has namespaces of its own, the files of this machine below a writable layer in memory, and no JDK.
# ARTEFACTS are at /mnt. It stops when standard input is closed, so never later than the process that started it.
set -eu
directory=$1 artefacts=$2
if [ "${3:-}" != inside ]; then
  exec unshare --mount -- sh -euc '
    mount -t tmpfs -o mode=755 tmpfs "$1"
    mkdir "$1/cgroup"
    mount -t cgroup2 cgroup2 "$1/cgroup"
    group=$1/cgroup/keyward-test-$$
    mkdir "$group"
    # A background job of a shell has no standard input unless it is given one.
    exec 3<&0
    sh -c "echo 0 >\"\$0/cgroup.procs\" && exec unshare --mount --pid --cgroup --net --uts --ipc --fork --kill-child \
      sh \"\$1\" \"\$2\" \"\$3\" inside" "$group" "$0" "$1" "$2" 3<&- </dev/null &
    # What cat reads is never sent: it waits for the end.
    cat <&3 >/dev/null || true
    kill -KILL $! 2>/dev/null || true
    wait $! 2>/dev/null || true
    for _ in 1 2 3 4 5 6 7 8 9 10; do
      [ -d "$group" ] || break
      find "$group" -depth -type d -exec rmdir {} \; 2>/dev/null || true
      sleep 0.2
    done' "$0" "$directory" "$artefacts"
fi

cd "$directory"
mkdir upper work root
mount -t overlay overlay -o "lowerdir=/,upperdir=$directory/upper,workdir=$directory/work" root
cd root
mkdir -p mnt
mount --bind "$artefacts" mnt
mount -t proc proc proc
# Settings of the kernel are the machine's.
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty; do
  touch "dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
mkdir dev/pts dev/shm
ln -s /proc/self/fd dev/fd
ln -s pts/ptmx dev/ptmx
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
for place in usr/lib/jvm usr/local opt; do
  [ ! -d "$place" ] || mount -t tmpfs -o mode=755 tmpfs "$place"
done
# Nothing that this machine runs, and nothing that looks for devices.
mount -t tmpfs -o mode=755 tmpfs etc/systemd/system
mount --bind /dev/null etc/fstab
for unit in systemd-udevd systemd-udev-trigger systemd-sysctl systemd-modules-load systemd-remount-fs kmod-static-nodes \
  systemd-journal-flush systemd-logind systemd-binfmt; do
  ln -s /dev/null "etc/systemd/system/$unit.service"
done
ip link set lo up
# Not only chroot: systemd gives services namespaces of their own, which needs a root that is a mount.
mkdir run/machine
pivot_root . run/machine
exec chroot . sh -euc 'umount -l /run/machine && rmdir /run/machine && exec "$@"' sh env -i container=keyward-test PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --system --unit=basic.target --log-target=null </dev/null
