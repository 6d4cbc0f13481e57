/// Real clusters on this machine: kubeadm, kubelet and containerd, each node in namespaces of its
/// own.
@NullMarked
package io.keyward.testbed.kubeadm;

import org.jspecify.annotations.NullMarked;
