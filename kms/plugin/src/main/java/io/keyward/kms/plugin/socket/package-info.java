/// The unix socket: its place, its mode, who may connect.
@NullMarked
package io.keyward.kms.plugin.socket;

import org.jspecify.annotations.NullMarked;
