/// Which key secrets may be deleted.
@NullMarked
package io.keyward.core.prune;

import org.jspecify.annotations.NullMarked;
