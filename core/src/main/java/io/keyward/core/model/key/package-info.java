/// Keys: their material, serials and stages, and the layouts that use them.
@NullMarked
package io.keyward.core.model.key;

import org.jspecify.annotations.NullMarked;
