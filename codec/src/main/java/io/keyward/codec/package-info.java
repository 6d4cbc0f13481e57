/// Bytes of Secrets to and from the core's values. Total: what cannot be read becomes a problem in
/// words, never an exception.
@NullMarked
package io.keyward.codec;

import org.jspecify.annotations.NullMarked;
