/// What it means when the KMS changes its key under us.
@NullMarked
package io.keyward.core.rotation;

import org.jspecify.annotations.NullMarked;
