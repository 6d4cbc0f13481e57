/// Options and failures of the commands that work on a cluster.
@NullMarked
package io.keyward.cli.cluster;

import org.jspecify.annotations.NullMarked;
