/// Providers whose SDKs bring many jars: each in a class loader of its own, loaded when it is
/// configured and never before.
@NullMarked
package io.keyward.kms.plugin.isolated;

import org.jspecify.annotations.NullMarked;
