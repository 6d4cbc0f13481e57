/// `keyward config`: judges EncryptionConfigurations.
@NullMarked
package io.keyward.cli.config;

import org.jspecify.annotations.NullMarked;
