/// The plugin's configuration, from a file or from flags.
@NullMarked
package io.keyward.kms.plugin.config;

import org.jspecify.annotations.NullMarked;
