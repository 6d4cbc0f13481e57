/// What the tests of this module share.
@NullMarked
package io.keyward.storage;

import org.jspecify.annotations.NullMarked;
