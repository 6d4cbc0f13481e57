/// `keyward inspect`: tells what stored values are.
@NullMarked
package io.keyward.cli.inspect;

import org.jspecify.annotations.NullMarked;
