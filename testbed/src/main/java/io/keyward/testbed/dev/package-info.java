/// A control plane that goes on after the command that started it, and can be found again.
@NullMarked
package io.keyward.testbed.dev;

import org.jspecify.annotations.NullMarked;
