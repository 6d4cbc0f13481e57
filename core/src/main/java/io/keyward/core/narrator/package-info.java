/// Decisions in words.
@NullMarked
package io.keyward.core.narrator;

import org.jspecify.annotations.NullMarked;
