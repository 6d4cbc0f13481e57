/// Decrypts stored values as kube-apiserver does.
@NullMarked
package io.keyward.storage.read;

import org.jspecify.annotations.NullMarked;
