/// Root keys of IBM Key Protect and of Hyper Protect Crypto Services, over their common REST
/// interface.
@NullMarked
package io.keyward.kms.ibm;

import org.jspecify.annotations.NullMarked;
