/// Keys in an external KMS: configurations of plugins, their reports and preflights.
@NullMarked
package io.keyward.core.model.kms;

import org.jspecify.annotations.NullMarked;
