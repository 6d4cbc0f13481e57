/// `keyward simulate`: tries to break the engine.
@NullMarked
package io.keyward.dev.simulate;

import org.jspecify.annotations.NullMarked;
