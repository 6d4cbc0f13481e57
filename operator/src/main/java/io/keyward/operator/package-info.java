/// The loop around the turn, and the ports through which it sees and changes a cluster.
@NullMarked
package io.keyward.operator;

import org.jspecify.annotations.NullMarked;
