/// The pages of a bbolt file: meta, branches, leaves, and what no root reaches any more.
@NullMarked
package io.keyward.etcd.bolt;

import org.jspecify.annotations.NullMarked;
