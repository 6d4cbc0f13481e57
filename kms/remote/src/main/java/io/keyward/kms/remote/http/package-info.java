/// HTTP/1.1 to one server over connections that are kept: for providers whose calls are small and
/// must cost little.
@NullMarked
package io.keyward.kms.remote.http;

import org.jspecify.annotations.NullMarked;
