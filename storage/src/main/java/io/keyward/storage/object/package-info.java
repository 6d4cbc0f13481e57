/// Objects inside decrypted values, as far as a recovery needs them.
@NullMarked
package io.keyward.storage.object;

import org.jspecify.annotations.NullMarked;
