/// Pods of API servers, in manifests, in templates and running: what counts of them is read, and
/// what they lack is added.
@NullMarked
package io.keyward.codec.pod;

import org.jspecify.annotations.NullMarked;
