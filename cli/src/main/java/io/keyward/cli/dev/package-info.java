/// `keyward dev`: a real control plane on this machine.
@NullMarked
package io.keyward.cli.dev;

import org.jspecify.annotations.NullMarked;
