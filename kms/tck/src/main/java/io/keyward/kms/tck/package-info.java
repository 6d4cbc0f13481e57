/// The contract that every KMS provider passes, and a fake KMS for tests that need one to
/// misbehave.
@NullMarked
package io.keyward.kms.tck;

import org.jspecify.annotations.NullMarked;
