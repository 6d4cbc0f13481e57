/// The gRPC adapters: protocol messages to values and back.
@NullMarked
package io.keyward.kms.plugin.service;

import org.jspecify.annotations.NullMarked;
