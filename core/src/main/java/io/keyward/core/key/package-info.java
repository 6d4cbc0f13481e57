/// When a key is born, restored or changed in place.
@NullMarked
package io.keyward.core.key;

import org.jspecify.annotations.NullMarked;
