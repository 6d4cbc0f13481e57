/// All decisions for one look at the world.
@NullMarked
package io.keyward.core.turn;

import org.jspecify.annotations.NullMarked;
