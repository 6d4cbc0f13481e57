/// Leader election.
@NullMarked
package io.keyward.kube.leader;

import org.jspecify.annotations.NullMarked;
