/// keyward demo: the whole story on real servers, in a few minutes.
@NullMarked
package io.keyward.dev.demo;

import org.jspecify.annotations.NullMarked;
