/// What stands between a request and the KMS: budget, retries, sharing.
@NullMarked
package io.keyward.kms.plugin.call;

import org.jspecify.annotations.NullMarked;
