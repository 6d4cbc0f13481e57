/// `keyward dev`: a real control plane on this machine.
@NullMarked
package io.keyward.dev.cluster;

import org.jspecify.annotations.NullMarked;
