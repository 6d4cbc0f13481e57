/// Audits of a running etcd.
@NullMarked
package io.keyward.storage.live;

import org.jspecify.annotations.NullMarked;
