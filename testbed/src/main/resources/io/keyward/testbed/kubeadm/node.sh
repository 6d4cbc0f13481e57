#!/bin/bash
# node.sh CLUSTER DIRECTORY INDEX PROGRAMS
# Boots one node and runs until it is killed. A node is a set of namespaces: killing the process that
# created them ends everything in it. Files below DIRECTORY survive, so calling it again is a reboot.
set -eu
cluster=$1 directory=$2 index=$3 programs=$4
name=node$index
address=10.213.0.$((10 + index))
here=$(dirname "$0")
controllers="cpu cpuacct cpuset memory devices freezer blkio pids"

if [ "${5:-}" != inside ]; then
  mkdir -p "$directory"
  net=$cluster-$index
  if [ ! -e "/run/netns/$net" ]; then
    ip netns add "$net"
    ip -n "$net" link set lo up
    ip link add name eth0 netns "$net" type veth peer name "v$index" netns "$cluster-net"
    ip -n "$cluster-net" link set "v$index" master br0 up
    ip -n "$net" addr add "$address/24" dev eth0
    ip -n "$net" link set eth0 up
    ip -n "$net" route add default via 10.213.0.1
    for other in 0 1 2 3; do
      [ "$other" = "$index" ] || ip -n "$net" route add "10.244.$other.0/24" via "10.213.0.$((10 + other))"
    done
    ip netns exec "$net" sysctl -qw net.ipv4.ip_forward=1
  fi
  for one in $controllers systemd unified; do
    [ -d "/sys/fs/cgroup/$one" ] || continue
    group=/sys/fs/cgroup/$one/$cluster
    mkdir -p "$group/$name"
    if [ "$one" = cpuset ]; then
      # An empty cpuset takes no process.
      for file in cpuset.cpus cpuset.mems; do
        cat "/sys/fs/cgroup/cpuset/$file" >"$group/$file"
        cat "$group/$file" >"$group/$name/$file"
      done
    fi
    # What an earlier boot left delays kubelet by seconds for each. The kernel may still be ending the
    # processes in it.
    tries=0
    until find "$group/$name" -mindepth 1 -depth -type d -exec rmdir {} + 2>/dev/null; do
      tries=$((tries + 1))
      [ $tries -lt 300 ] || { echo "node.sh: $group/$name still has processes" >&2; exit 1; }
      sleep 0.1
    done
    echo $$ >"$group/$name/cgroup.procs"
  done
  echo $$ >"$directory/pid"
  exec nsenter --net="/run/netns/$net" unshare -m -p -u -i -C -f --kill-child \
    "$0" "$cluster" "$directory" "$index" "$programs" inside
fi

hostname "$name"
mount --make-rprivate /
# Private copies of the machine's trees, kept over a reboot.
for tree in etc var opt usr; do
  mkdir -p "$directory/upper/$tree" "$directory/work/$tree"
  mount -t overlay overlay \
    -o "lowerdir=/$tree,upperdir=$directory/upper/$tree,workdir=$directory/work/$tree" "/$tree"
done
# containerd cannot put its own overlays on one, and the others are faster without.
for tree in var/lib/containerd var/lib/kubelet var/lib/etcd var/log; do
  mkdir -p "$directory/data/$tree" "/$tree"
  mount --bind "$directory/data/$tree" "/$tree"
done
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/lock /run/netns
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t tmpfs -o mode=755 tmpfs /sys/fs/cgroup
for one in $controllers; do
  mkdir "/sys/fs/cgroup/$one"
  mount -t cgroup -o "$one" cgroup "/sys/fs/cgroup/$one"
done
mkdir /sys/fs/cgroup/systemd
mount -t cgroup -o none,name=systemd cgroup /sys/fs/cgroup/systemd
mount --make-rshared /

mkdir -p /etc/kubernetes/manifests /etc/cni/net.d /etc/containerd /opt/cni
ln -sfn /usr/lib/cni /opt/cni/bin
install -m 755 "$here/systemctl" /usr/local/sbin/systemctl
for program in kubelet kubeadm kubectl; do
  ln -sf "$programs/$program" "/usr/local/bin/$program"
done
cp "$here/containerd.toml" /etc/containerd/config.toml
sed "s/@INDEX@/$index/" "$here/pods.conflist" >/etc/cni/net.d/10-pods.conflist
printf '127.0.0.1 localhost\n%s %s\n10.213.0.1 api.keyward.test\n' "$address" "$name" >/etc/hosts
: >/etc/resolv.conf
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
for variable in $(env | grep -i '_proxy=' | cut -d= -f1); do
  unset "$variable"
done
# A node that joined before starts its kubelet at boot.
[ ! -e /var/lib/kubelet/config.yaml ] || : >/run/kubelet.enabled
containerd -c /etc/containerd/config.toml >>/var/log/containerd.log 2>&1 &
while :; do
  if [ -e /run/kubelet.enabled ] && [ -e /var/lib/kubelet/config.yaml ]; then
    KUBELET_KUBEADM_ARGS=
    [ ! -e /var/lib/kubelet/kubeadm-flags.env ] || . /var/lib/kubelet/kubeadm-flags.env
    kubelet --bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf \
      --kubeconfig=/etc/kubernetes/kubelet.conf --config=/var/lib/kubelet/config.yaml \
      $KUBELET_KUBEADM_ARGS >>/var/log/kubelet.log 2>&1 &
    echo $! >/run/kubelet.pid
    wait $! || true
  fi
  sleep 0.2
done
