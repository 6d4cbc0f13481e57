/// What runs on a control-plane node: it carries a revision there and says what the node runs.
@NullMarked
package io.keyward.node;

import org.jspecify.annotations.NullMarked;
