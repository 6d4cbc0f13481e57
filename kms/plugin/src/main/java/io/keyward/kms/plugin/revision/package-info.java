/// Reads the keys of a plugin from the files of a revision that the operator created.
@NullMarked
package io.keyward.kms.plugin.revision;

import org.jspecify.annotations.NullMarked;
