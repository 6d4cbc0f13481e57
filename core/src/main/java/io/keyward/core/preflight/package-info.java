/// When a KMS configuration is tried out before it reaches a cluster.
@NullMarked
package io.keyward.core.preflight;

import org.jspecify.annotations.NullMarked;
