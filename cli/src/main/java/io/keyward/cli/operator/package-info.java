/// `keyward operator`, `keyward status`, `keyward explain`.
@NullMarked
package io.keyward.cli.operator;

import org.jspecify.annotations.NullMarked;
