/// A restart of API servers against a KMS with a quota.
@NullMarked
package io.keyward.bench.burst;

import org.jspecify.annotations.NullMarked;
