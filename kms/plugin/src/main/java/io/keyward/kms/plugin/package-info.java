/// The KMS plugin: one server per key, on a unix socket.
@NullMarked
package io.keyward.kms.plugin;

import org.jspecify.annotations.NullMarked;
