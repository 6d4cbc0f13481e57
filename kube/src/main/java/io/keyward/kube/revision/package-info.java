/// Revisions of configurations, and the instances that run them.
@NullMarked
package io.keyward.kube.revision;

import org.jspecify.annotations.NullMarked;
