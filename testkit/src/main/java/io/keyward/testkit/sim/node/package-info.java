/// The machine of one simulated API server: its files, its process, and the agent that changes
/// both.
@NullMarked
package io.keyward.testkit.sim.node;

import org.jspecify.annotations.NullMarked;
