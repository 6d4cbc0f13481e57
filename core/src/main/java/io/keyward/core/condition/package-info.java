/// What users are told.
@NullMarked
package io.keyward.core.condition;

import org.jspecify.annotations.NullMarked;
