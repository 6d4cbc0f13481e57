/// Which keys each resource reads and writes, one safe step at a time.
@NullMarked
package io.keyward.core.layout;

import org.jspecify.annotations.NullMarked;
