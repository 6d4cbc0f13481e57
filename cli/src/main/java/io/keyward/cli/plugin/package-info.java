/// keyward plugin: runs the KMS plugin.
@NullMarked
package io.keyward.cli.plugin;

import org.jspecify.annotations.NullMarked;
