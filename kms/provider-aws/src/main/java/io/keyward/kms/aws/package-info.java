/// Keys of AWS KMS, by the AWS SDK. Runs in a class loader of its own.
@NullMarked
package io.keyward.kms.aws;

import org.jspecify.annotations.NullMarked;
