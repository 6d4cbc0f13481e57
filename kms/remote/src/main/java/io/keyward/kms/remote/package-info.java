/// What providers of remote KMSs share: an envelope that binds what the KMS cannot bind, time
/// limits that hold, failures of the network in words, and trust in a CA file.
@NullMarked
package io.keyward.kms.remote;

import org.jspecify.annotations.NullMarked;
