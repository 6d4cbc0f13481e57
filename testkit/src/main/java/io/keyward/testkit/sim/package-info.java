/// The simulator: a seeded, single-threaded world that tries to break the engine.
@NullMarked
package io.keyward.testkit.sim;

import org.jspecify.annotations.NullMarked;
