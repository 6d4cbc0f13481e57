/// A site of the engine on a real cluster: observes it, and applies acts to it.
@NullMarked
package io.keyward.kube.site;

import org.jspecify.annotations.NullMarked;
