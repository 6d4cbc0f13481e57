#!/bin/sh
# guard.sh CLUSTER DIRECTORY
# Removes a cluster when its stdin ends: when the program that started it closes the pipe, or is gone.
# No signal that ends the program's process group reaches this shell, which has a session of its own.
cluster=$1 directory=$2
trap '' INT TERM HUP
while read -r _; do :; done
for pid in "$directory"/*/pid; do
  [ ! -e "$pid" ] || kill -s KILL "$(cat "$pid")" 2>/dev/null
done
for pid in "$directory"/*.pid; do
  [ ! -e "$pid" ] || kill -s KILL "$(cat "$pid")" 2>/dev/null
done
# The kernel needs a moment to end what was in the namespaces.
tries=0
while [ $tries -lt 100 ] && cat /sys/fs/cgroup/memory/"$cluster"/*/cgroup.procs 2>/dev/null | grep -q .; do
  sleep 0.1
  tries=$((tries + 1))
done
for net in $(ip netns list | sed -n "s/^\($cluster-[a-z0-9]*\).*/\1/p"); do
  ip netns delete "$net"
done
for group in /sys/fs/cgroup/*/"$cluster"; do
  [ ! -d "$group" ] || find "$group" -depth -type d -exec rmdir {} + 2>/dev/null
done
rm -rf "$directory"
