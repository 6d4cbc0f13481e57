/// A thousand sites in one process.
@NullMarked
package io.keyward.bench.sites;

import org.jspecify.annotations.NullMarked;
