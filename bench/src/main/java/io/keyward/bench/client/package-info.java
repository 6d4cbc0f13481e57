/// Requests as JSON against requests through the typed client.
@NullMarked
package io.keyward.bench.client;

import org.jspecify.annotations.NullMarked;
