/// Objects of the Kubernetes API as JSON, to and from values: the only place that knows their
/// members.
@NullMarked
package io.keyward.codec.object;

import org.jspecify.annotations.NullMarked;
