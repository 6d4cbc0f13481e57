/// The status of operator resources: read once into [OperatorStatus], written as bodies of patches.
@NullMarked
package io.keyward.codec.status;

import org.jspecify.annotations.NullMarked;
