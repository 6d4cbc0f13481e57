/// Bytes as values, and the protobuf wire format read without ever throwing.
@NullMarked
package io.keyward.etcd.bytes;

import org.jspecify.annotations.NullMarked;
