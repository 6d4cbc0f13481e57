/// How fast the engine decides and the simulator runs.
@NullMarked
package io.keyward.bench.engine;

import org.jspecify.annotations.NullMarked;
