/// One API server of a cluster: where its objects are, its status and its events.
@NullMarked
package io.keyward.kube.component;

import org.jspecify.annotations.NullMarked;
