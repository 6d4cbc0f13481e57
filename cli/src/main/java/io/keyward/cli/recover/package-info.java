/// `keyward recover`: takes objects out of a backup without a cluster.
@NullMarked
package io.keyward.cli.recover;

import org.jspecify.annotations.NullMarked;
