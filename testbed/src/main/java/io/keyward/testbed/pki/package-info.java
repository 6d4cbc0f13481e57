/// Throw-away certificates for the servers and their clients.
@NullMarked
package io.keyward.testbed.pki;

import org.jspecify.annotations.NullMarked;
