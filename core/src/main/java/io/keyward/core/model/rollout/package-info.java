/// Revisions, and the instances on their way to them.
@NullMarked
package io.keyward.core.model.rollout;

import org.jspecify.annotations.NullMarked;
