/// Whether the manifest of a static pod, or the template of a Deployment, fits a revision.
@NullMarked
package io.keyward.core.rollout.manifest;

import org.jspecify.annotations.NullMarked;
