package io.keyward.testkit.sim;

import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.rollout.ManifestNeed;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.rollout.Agreement;
import io.keyward.core.rollout.DeploymentAssessor;
import io.keyward.core.rollout.Pod;
import io.keyward.core.rollout.RevisionNumber;
import io.keyward.core.rollout.manifest.PodTemplate;
import io.keyward.core.rollout.manifest.TemplateRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What an operator reads of a Deployment, and the patch that it makes, as the real adapter does.
final class PodView {
  private static final String SCHEME = "unix://";

  private final Server server;
  private final PodSet set;

  PodView(Server server, PodSet set) {
    this.server = server;
    this.set = set;
  }

  /// One that ends is not ready.
  List<Pod> pods(Kms kms) {
    var pods = new ArrayList<Pod>();
    for (Instance one : server.instances) {
      PodTemplate template = one.template == null ? set.template() : one.template;
      pods.add(
          new Pod(
              one.node,
              one.node,
              Pod.Phase.RUNNING,
              server.isServing(one, kms),
              TemplateRule.runs(template, PodSet.SECRET),
              Instant.ofEpochSecond(one.startedAt)));
    }
    for (PodSet.Starting one : set.starting) {
      pods.add(
          new Pod(
              one.pod(),
              "",
              Pod.Phase.PENDING,
              false,
              TemplateRule.runs(one.template(), PodSet.SECRET),
              Instant.EPOCH));
    }
    return pods;
  }

  Agreement agreement(Kms kms) {
    return DeploymentAssessor.assess(
        new DeploymentAssessor.Pods(
            server.name,
            TemplateRule.runs(set.template(), PodSet.SECRET),
            set.replicas,
            set.isGivenUp(),
            pods(kms)),
        server.latest());
  }

  Revisions.Deployment deployment(Kms kms) {
    long target = number(TemplateRule.runs(set.template(), PodSet.SECRET));
    return new Revisions.Deployment(
        server.name,
        server.latest() == 0 ? List.of() : needs(set.template(), server.latest()),
        set.replicas,
        pods(kms).stream()
            .map(pod ->
                new Revisions.Node(pod.name(), number(pod.revision()), target, 0, pod.ready()))
            .toList());
  }

  private static long number(String revision) {
    return RevisionNumber.parse(revision).orElse(0);
  }

  private List<ManifestNeed> needs(PodTemplate template, int revision) {
    return TemplateRule.needs(
        template, revision, PodSet.SECRET + revision, sockets(server.newestRevision().layout()));
  }

  private static List<String> sockets(@Nullable EncryptionLayout layout) {
    return layout == null
        ? List.of()
        : layout.keys().stream()
            .map(Key::kms)
            .flatMap(Optional::stream)
            .map(kms -> kms.endpoint().endpoint().substring(SCHEME.length()))
            .toList();
  }

  /// The template as it was read, with what it lacks.
  PodTemplate patch(PodTemplate read, int revision) {
    var flag = read.configFlag();
    var secrets = new TreeMap<>(read.secrets());
    var directories = new TreeMap<>(read.directories());
    String label = read.label();
    for (ManifestNeed need : needs(read, revision)) {
      switch (need) {
        case ManifestNeed.Flag _ -> flag = Optional.of(PodTemplate.CONFIG_FILE);
        case ManifestNeed.Label _ -> label = Integer.toString(revision);
        case ManifestNeed.Resources _ ->
            secrets.put(PodTemplate.CONFIG_DIRECTORY, PodSet.SECRET + revision);
        case ManifestNeed.Sockets(var directory) -> directories.put(directory, directory);
        case ManifestNeed.Plugins _, ManifestNeed.Obstacle _ -> {}
      }
    }
    return new PodTemplate(flag, secrets, directories, label);
  }
}
