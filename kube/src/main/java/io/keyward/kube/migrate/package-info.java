/// Storage migration behind one port: ours, and controllers of the cluster.
@NullMarked
package io.keyward.kube.migrate;

import org.jspecify.annotations.NullMarked;
