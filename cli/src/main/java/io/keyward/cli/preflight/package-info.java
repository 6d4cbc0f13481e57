/// keyward preflight: tries a plugin before an API server depends on it.
@NullMarked
package io.keyward.cli.preflight;

import org.jspecify.annotations.NullMarked;
