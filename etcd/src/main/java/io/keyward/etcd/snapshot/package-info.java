/// Snapshot files: a database with a digest behind it.
@NullMarked
package io.keyward.etcd.snapshot;

import org.jspecify.annotations.NullMarked;
