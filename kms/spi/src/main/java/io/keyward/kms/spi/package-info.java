/// What a KMS provider is, and the values it exchanges with the plugin.
@NullMarked
package io.keyward.kms.spi;

import org.jspecify.annotations.NullMarked;
