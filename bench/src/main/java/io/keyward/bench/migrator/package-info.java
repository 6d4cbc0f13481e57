/// Storage migration, side by side.
@NullMarked
package io.keyward.bench.migrator;

import org.jspecify.annotations.NullMarked;
