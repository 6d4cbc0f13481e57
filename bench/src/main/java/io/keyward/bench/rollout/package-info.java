/// From an admin's patch to the proof, on a managed cluster.
@NullMarked
package io.keyward.bench.rollout;

import org.jspecify.annotations.NullMarked;
