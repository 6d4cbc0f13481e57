/// Checks of a node that an administrator starts by hand.
@NullMarked
package io.keyward.node.check;

import org.jspecify.annotations.NullMarked;
