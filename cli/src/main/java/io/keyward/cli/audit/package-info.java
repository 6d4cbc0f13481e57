/// `keyward audit`: which key protects every byte in etcd.
@NullMarked
package io.keyward.cli.audit;

import org.jspecify.annotations.NullMarked;
