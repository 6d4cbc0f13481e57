/// Compares verdicts with those of kube-apiserver's own code.
@NullMarked
package io.keyward.storage.config.oracle;

import org.jspecify.annotations.NullMarked;
