/// Requests to an API server: credentials, retries, caches, failures.
@NullMarked
package io.keyward.kube.client;

import org.jspecify.annotations.NullMarked;
