/// KMS plugins as unwrappers of stored values.
@NullMarked
package io.keyward.storage.kms;

import org.jspecify.annotations.NullMarked;
