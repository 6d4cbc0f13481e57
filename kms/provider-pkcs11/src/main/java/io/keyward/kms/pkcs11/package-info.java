/// AES keys of a hardware security module, through its PKCS#11 module and the JDK's own provider.
@NullMarked
package io.keyward.kms.pkcs11;

import org.jspecify.annotations.NullMarked;
