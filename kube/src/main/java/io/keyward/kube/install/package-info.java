/// Installs Keyward on a cluster: resource definitions, accounts and permissions.
@NullMarked
package io.keyward.kube.install;

import org.jspecify.annotations.NullMarked;
