/// What a node agent does next on its node.
@NullMarked
package io.keyward.core.rollout.node;

import org.jspecify.annotations.NullMarked;
