/// Speaks KMS v2 to a plugin over its unix socket.
@NullMarked
package io.keyward.kms.client;

import org.jspecify.annotations.NullMarked;
