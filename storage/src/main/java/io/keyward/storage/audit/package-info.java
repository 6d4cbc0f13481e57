/// The laws of an audit, and what it found.
@NullMarked
package io.keyward.storage.audit;

import org.jspecify.annotations.NullMarked;
