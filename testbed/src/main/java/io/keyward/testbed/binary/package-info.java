/// The servers' programs: built once from source, kept in a cache outside the checkout.
@NullMarked
package io.keyward.testbed.binary;

import org.jspecify.annotations.NullMarked;
