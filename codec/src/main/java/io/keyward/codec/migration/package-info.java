/// Storage migrations as they are recorded in the cluster.
@NullMarked
package io.keyward.codec.migration;

import org.jspecify.annotations.NullMarked;
