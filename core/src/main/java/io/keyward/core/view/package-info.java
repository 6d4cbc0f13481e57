/// What may be shown: the state of an API server without key material, credentials and their
/// digests. Status, metrics and the console see nothing else.
@NullMarked
package io.keyward.core.view;

import org.jspecify.annotations.NullMarked;
