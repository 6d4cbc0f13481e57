package io.keyward.kube;

import io.keyward.codec.SecretObject;
import io.keyward.codec.Wire;
import java.util.List;
import java.util.Optional;

/// What is somebody else's though it has a name of ours, in words. It is left as it is.
final class ForeignSecret {
  private ForeignSecret() {}

  /// Of the Secret that the configuration is written to. One that lost what is in it is still ours
  /// by its finalizer.
  static Optional<String> configuration(SecretObject found) {
    return found.data().containsKey(Wire.CONFIG_DATA) || found.finalizers().contains(Wire.FINALIZER)
        ? Optional.empty()
        : Optional.of(
            show(found)
                + " is not ours: it has neither the data key "
                + Wire.CONFIG_DATA
                + " nor our finalizer; move it away, and the configuration is written");
  }

  /// Of the Secret of a key.
  static Optional<String> key(SecretObject found, String component) {
    return component.equals(found.labels().get(Wire.COMPONENT_LABEL))
        ? Optional.empty()
        : Optional.of(
            show(found)
                + " is in the way of a key: it lacks the label "
                + Wire.COMPONENT_LABEL
                + "="
                + component
                + "; label it if it holds that key, else take its finalizers away and delete it");
  }

  static List<String> foreignFinalizers(SecretObject found) {
    return found.finalizers().stream().filter(one -> !one.equals(Wire.FINALIZER)).toList();
  }

  /// Of a Secret that we let go.
  static Optional<String> held(SecretObject found) {
    return foreignFinalizers(found).isEmpty()
        ? Optional.empty()
        : Optional.of(
            show(found)
                + " is deleted as far as we are concerned; it stays until whoever set the"
                + " finalizers "
                + foreignFinalizers(found)
                + " takes them away");
  }

  private static String show(SecretObject found) {
    return "secret " + found.namespace() + "/" + found.name();
  }
}
