/// `keyward node-agent`.
@NullMarked
package io.keyward.cli.node;

import org.jspecify.annotations.NullMarked;
