/// The node agent: rolls revisions out on one node, one step at a time, and reports.
@NullMarked
package io.keyward.node.agent;

import org.jspecify.annotations.NullMarked;
