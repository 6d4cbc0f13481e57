/// `keyward simulate`: tries to break the engine.
@NullMarked
package io.keyward.cli.simulate;

import org.jspecify.annotations.NullMarked;
