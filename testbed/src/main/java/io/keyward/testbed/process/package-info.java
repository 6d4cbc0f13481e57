/// Processes that can be stopped, killed and paused, and that do not outlive a test JVM.
@NullMarked
package io.keyward.testbed.process;

import org.jspecify.annotations.NullMarked;
