/// How fast a snapshot is audited, beside etcd's own tool and a plain read.
@NullMarked
package io.keyward.bench.audit;

import org.jspecify.annotations.NullMarked;
