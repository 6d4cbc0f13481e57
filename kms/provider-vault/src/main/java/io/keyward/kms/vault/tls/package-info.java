/// TLS to Vault from files that may be replaced at any time.
@NullMarked
package io.keyward.kms.vault.tls;

import org.jspecify.annotations.NullMarked;
