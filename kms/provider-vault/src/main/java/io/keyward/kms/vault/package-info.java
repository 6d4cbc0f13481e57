/// KEKs in the transit engine of Vault or OpenBao.
@NullMarked
package io.keyward.kms.vault;

import org.jspecify.annotations.NullMarked;
