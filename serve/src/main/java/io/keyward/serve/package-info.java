/// The HTTP server of every long-running command: metrics and health.
@NullMarked
package io.keyward.serve;

import org.jspecify.annotations.NullMarked;
