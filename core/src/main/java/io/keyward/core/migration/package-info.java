/// When stored data is rewritten, and when that counts.
@NullMarked
package io.keyward.core.migration;

import org.jspecify.annotations.NullMarked;
