/// The write-ahead log of a stopped member.
@NullMarked
package io.keyward.etcd.wal;

import org.jspecify.annotations.NullMarked;
