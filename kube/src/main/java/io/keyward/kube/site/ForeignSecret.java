package io.keyward.kube.site;

import io.keyward.codec.SecretObject;
import io.keyward.codec.WireNames;
import java.util.List;
import java.util.Optional;

/// Secrets that have a name of Keyward and were not created by it. They are left alone.
public final class ForeignSecret {
  private ForeignSecret() {}

  /// Of the Secret that the configuration is written to. One that lost what is in it is still ours
  /// by its finalizer.
  static Optional<String> configuration(SecretObject found) {
    return found.data().containsKey(WireNames.CONFIG_DATA)
            || found.finalizers().contains(WireNames.FINALIZER)
        ? Optional.empty()
        : Optional.of(
            show(found)
                + " was not created by Keyward: it has neither the data key "
                + WireNames.CONFIG_DATA
                + " nor the finalizer "
                + WireNames.FINALIZER
                + "; rename or delete it, and the operator publishes the configuration");
  }

  /// Of the Secret of a key.
  static Optional<String> key(SecretObject found, String component) {
    return component.equals(found.labels().get(WireNames.COMPONENT_LABEL))
        ? Optional.empty()
        : Optional.of(
            show(found)
                + " blocks a key: it lacks the label "
                + WireNames.COMPONENT_LABEL
                + "="
                + component
                + "; add the label if it holds that key, otherwise remove its finalizers and delete it");
  }

  static List<String> foreignFinalizers(SecretObject found) {
    return found.finalizers().stream().filter(one -> !one.equals(WireNames.FINALIZER)).toList();
  }

  /// Of a Secret that we let go.
  static Optional<String> held(SecretObject found) {
    return foreignFinalizers(found).isEmpty()
        ? Optional.empty()
        : Optional.of(
            show(found)
                + " is deleted, and stays until the owners of its finalizers "
                + foreignFinalizers(found)
                + " remove them");
  }

  private static String show(SecretObject found) {
    return "secret " + found.namespace() + "/" + found.name();
  }
}
