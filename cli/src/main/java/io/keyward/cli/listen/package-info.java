/// The options of all commands that serve health and metrics.
@NullMarked
package io.keyward.cli.listen;

import org.jspecify.annotations.NullMarked;
