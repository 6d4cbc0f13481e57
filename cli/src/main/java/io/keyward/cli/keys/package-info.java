/// How commands get at keys: a configuration, and the sockets of KMS plugins.
@NullMarked
package io.keyward.cli.keys;

import org.jspecify.annotations.NullMarked;
