/// HTTP/1.1 to one server over connections that are kept: for callers whose requests are small,
/// many, and must cost little.
@NullMarked
package io.keyward.http;

import org.jspecify.annotations.NullMarked;
