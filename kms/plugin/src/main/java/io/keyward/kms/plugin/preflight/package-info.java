/// The preflight of a revision, in a pod with its plugins.
@NullMarked
package io.keyward.kms.plugin.preflight;

import org.jspecify.annotations.NullMarked;
