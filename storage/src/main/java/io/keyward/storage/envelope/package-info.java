/// What the bytes of a stored value say about themselves, without any key.
@NullMarked
package io.keyward.storage.envelope;

import org.jspecify.annotations.NullMarked;
