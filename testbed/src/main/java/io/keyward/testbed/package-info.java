/// Real servers as processes of this machine: a control plane with etcd, kube-apiservers and the
/// controller manager, and what stands beside it in tests.
@NullMarked
package io.keyward.testbed;

import org.jspecify.annotations.NullMarked;
