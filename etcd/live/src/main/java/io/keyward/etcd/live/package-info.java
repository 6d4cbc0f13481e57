/// A running etcd, read only.
@NullMarked
package io.keyward.etcd.live;

import org.jspecify.annotations.NullMarked;
