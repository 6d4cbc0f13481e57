/// Keys in a PKCS#12 file on the same machine. The embedded default; not a KMS.
@NullMarked
package io.keyward.kms.local;

import org.jspecify.annotations.NullMarked;
