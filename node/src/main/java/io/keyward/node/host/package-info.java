/// The files of a node and the restart of its API server.
@NullMarked
package io.keyward.node.host;

import org.jspecify.annotations.NullMarked;
