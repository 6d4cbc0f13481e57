/// Which plugin containers run beside an API server, and with which arguments.
@NullMarked
package io.keyward.core.sidecar;

import org.jspecify.annotations.NullMarked;
