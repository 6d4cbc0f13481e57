/// The words of the domain. Immutable values; everything a decider may know.
@NullMarked
package io.keyward.core.model;

import org.jspecify.annotations.NullMarked;
