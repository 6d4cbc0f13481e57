/// Probes of the KMS plugins of a node, and reports on them.
@NullMarked
package io.keyward.node.plugin;

import org.jspecify.annotations.NullMarked;
