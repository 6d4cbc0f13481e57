/// Monitors the KMS plugins of an API server: Status of each, into a file and metrics.
@NullMarked
package io.keyward.kms.plugin.monitor;

import org.jspecify.annotations.NullMarked;
