/// The optional local key hierarchy: a KEK of this process under the KEK of the KMS.
@NullMarked
package io.keyward.kms.plugin.localkek;

import org.jspecify.annotations.NullMarked;
