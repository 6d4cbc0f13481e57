/// Which revision the instances of an API server run, and what is rolled out next.
@NullMarked
package io.keyward.core.rollout;

import org.jspecify.annotations.NullMarked;
