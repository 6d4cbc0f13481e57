/// A cluster's objects, to and from the words of the core. Every write is conditional on what was
/// observed.
@NullMarked
package io.keyward.kube;

import org.jspecify.annotations.NullMarked;
