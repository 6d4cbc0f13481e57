/// The `keyward` command. Each subcommand has a package of its own, named like it.
@NullMarked
package io.keyward.cli;

import org.jspecify.annotations.NullMarked;
