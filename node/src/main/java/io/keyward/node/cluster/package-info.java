/// What the cluster asks of a node: the status it follows and the parts of revisions.
@NullMarked
package io.keyward.node.cluster;

import org.jspecify.annotations.NullMarked;
