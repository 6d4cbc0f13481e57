package io.keyward.core.rollout.manifest;

import io.keyward.core.model.rollout.ManifestNeed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// Whether the pods of a template run a revision. Label and Secret are one thing: a label that is
/// not true would let the operator go on before the pods can.
public final class TemplateRule {
  private TemplateRule() {}

  /// Empty where they do.
  ///
  /// @param secret the name of the revision's Secret
  /// @param sockets of the plugins that the revision names
  public static List<ManifestNeed> needs(
      PodTemplate template, long revision, String secret, Collection<String> sockets) {
    var needs = new ArrayList<ManifestNeed>();
    if (!template.configFlag().filter(PodTemplate.CONFIG_FILE::equals).isPresent()) {
      needs.add(new ManifestNeed.Flag());
    }
    if (!template.label().equals(Long.toString(revision))) {
      needs.add(new ManifestNeed.Label());
    }
    if (!secret.equals(template.secrets().get(PodTemplate.CONFIG_DIRECTORY))) {
      needs.add(new ManifestNeed.Resources());
    }
    needs.addAll(ManifestRule.directories(template.directories(), sockets));
    return List.copyOf(needs);
  }

  /// A configuration that the template has before its first revision. Its content is not known, so
  /// it may hold keys.
  ///
  /// @param flag what the API server is started with, in whichever form
  /// @param label the text of the label `revision`
  public static Optional<String> existing(Optional<String> flag, String label) {
    return flag.filter(file -> label.isEmpty() && !file.equals(PodTemplate.CONFIG_FILE))
        .map(file -> "its pod template sets --encryption-provider-config to " + file);
  }

  /// The revision that a pod of this template runs, as the text of its label. What the label says
  /// counts only where the Secret is that revision's, and the API server is started with it:
  /// without the flag it writes plaintext.
  ///
  /// @param secretPrefix the name of a revision's Secret up to its number
  public static String runs(PodTemplate pod, String secretPrefix) {
    String secret = pod.secrets().getOrDefault(PodTemplate.CONFIG_DIRECTORY, "");
    boolean isTrue =
        pod.label().isEmpty() ? secret.isEmpty() : secret.equals(secretPrefix + pod.label());
    if (!isTrue) {
      return "label '" + pod.label() + "' with secret '" + secret + "'";
    }
    boolean isUsed = pod.configFlag().filter(PodTemplate.CONFIG_FILE::equals).isPresent();
    return pod.label().isEmpty() || isUsed
        ? pod.label()
        : "label '" + pod.label() + "' without the flag";
  }
}
