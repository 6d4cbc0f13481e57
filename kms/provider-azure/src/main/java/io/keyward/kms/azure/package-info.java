/// Keys of Azure Key Vault and Managed HSM, through Microsoft's SDK, which stays in here.
@NullMarked
package io.keyward.kms.azure;

import org.jspecify.annotations.NullMarked;
