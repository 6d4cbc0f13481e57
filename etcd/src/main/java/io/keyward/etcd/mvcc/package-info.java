/// Revisions of keys as etcd keeps them in its `key` bucket.
@NullMarked
package io.keyward.etcd.mvcc;

import org.jspecify.annotations.NullMarked;
