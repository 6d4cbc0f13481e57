/// How commands print what they list.
@NullMarked
package io.keyward.cli.output;

import org.jspecify.annotations.NullMarked;
