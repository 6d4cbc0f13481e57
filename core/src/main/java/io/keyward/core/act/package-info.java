/// What a plan asks the world to do.
@NullMarked
package io.keyward.core.act;

import org.jspecify.annotations.NullMarked;
