/// Which revision the instances of an API server agree on.
@NullMarked
package io.keyward.core.rollout;

import org.jspecify.annotations.NullMarked;
