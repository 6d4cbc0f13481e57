/// The node agent as a program: what it runs on this node, and its metrics.
@NullMarked
package io.keyward.node.program;

import org.jspecify.annotations.NullMarked;
