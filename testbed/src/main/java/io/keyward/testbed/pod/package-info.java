/// A stand-in for the kubelet: runs the pods of a node as processes of this machine.
@NullMarked
package io.keyward.testbed.pod;

import org.jspecify.annotations.NullMarked;
