/// Which API resource an etcd key belongs to.
@NullMarked
package io.keyward.storage.resource;

import org.jspecify.annotations.NullMarked;
