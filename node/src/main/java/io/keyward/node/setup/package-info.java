/// Places the node agent on a node of kubeadm as a static pod, and removes it.
@NullMarked
package io.keyward.node.setup;

import org.jspecify.annotations.NullMarked;
