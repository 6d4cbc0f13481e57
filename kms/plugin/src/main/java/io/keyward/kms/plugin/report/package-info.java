/// What the plugin tells about itself: metrics, health endpoints, logs.
@NullMarked
package io.keyward.kms.plugin.report;

import org.jspecify.annotations.NullMarked;
