/// What stands between a request and the KMS: budget, limits, retries, sharing, memory.
@NullMarked
package io.keyward.kms.plugin.call;

import org.jspecify.annotations.NullMarked;
