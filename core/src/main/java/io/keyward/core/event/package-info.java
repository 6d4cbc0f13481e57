/// What a turn is worth telling in events.
@NullMarked
package io.keyward.core.event;

import org.jspecify.annotations.NullMarked;
