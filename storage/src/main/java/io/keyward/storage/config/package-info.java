/// EncryptionConfiguration: read, judged as kube-apiserver judges it, and made usable.
@NullMarked
package io.keyward.storage.config;

import org.jspecify.annotations.NullMarked;
