/// Keys of Google Cloud KMS, through Google's SDK, which stays in here.
@NullMarked
package io.keyward.kms.gcp;

import org.jspecify.annotations.NullMarked;
