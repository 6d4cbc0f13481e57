/// keyward keystore: makes and rotates the keys of the local provider.
@NullMarked
package io.keyward.cli.keystore;

import org.jspecify.annotations.NullMarked;
