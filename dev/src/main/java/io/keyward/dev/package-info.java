/// Commands for developers, on a machine with a source checkout. The distribution does not contain
/// them.
@NullMarked
package io.keyward.dev;

import org.jspecify.annotations.NullMarked;
