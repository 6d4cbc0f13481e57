package io.keyward.kube.revision;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.ConfigSecretCodec;
import io.keyward.codec.Decoded;
import io.keyward.codec.object.SecretJson;
import io.keyward.codec.pod.SeenDeployment;
import io.keyward.codec.status.OperatorStatus;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.rollout.Rollout;
import io.keyward.core.rollout.Agreement;
import io.keyward.core.rollout.DeploymentAssessor;
import io.keyward.core.rollout.KnownRevisions;
import io.keyward.core.rollout.RolloutAssessor;
import io.keyward.kube.client.Reads;
import io.keyward.kube.component.Component;
import java.util.ArrayList;
import java.util.Optional;
import java.util.SortedSet;

/// What all instances of an API server run. Nodes and the pods of a Deployment share one
/// configuration, so both must have arrived.
public final class RolloutReader {
  private final Reads reads;
  private final Component component;
  private final RevisionParts parts;
  private final Optional<ObjectNode> published;

  public RolloutReader(
      Reads reads, Component component, RevisionParts parts, Optional<ObjectNode> published) {
    this.reads = reads;
    this.component = component;
    this.parts = parts;
    this.published = published;
  }

  public Rollout read(OperatorStatus status, SortedSet<String> nodes) {
    long latest = status.latest();
    var all = new ArrayList<Rollout>();
    if (component.isOnNodes()) {
      all.add(
          rollout(
              RolloutAssessor.assess(
                  nodes,
                  status.pods(nodes),
                  latest,
                  status.blockers(nodes, parts.silent(), known(status, nodes))),
              latest,
              nodes));
    }
    component
        .deployment()
        .ifPresent(name ->
            all.add(
                parts
                    .deployment()
                    .map(one -> rollout(agreement(one, latest), latest, nodes))
                    .orElseGet(() ->
                        new Rollout.Stuck(
                            "Deployment " + component.namespace() + "/" + name + " is missing"))));
    return all.size() == 1 ? all.getFirst() : RolloutAssessor.union(all);
  }

  /// What there is to compare with what instances run.
  private KnownRevisions known(OperatorStatus status, SortedSet<String> nodes) {
    return parts.known(
        reads,
        component,
        status.latest(),
        published,
        status.claims(nodes).stream().map(KnownRevisions.Claim::revision).toList());
  }

  private Agreement agreement(SeenDeployment deployment, long latest) {
    return RolloutAssessor.unknown(
            deployment.unknown(
                claimed -> parts.known(reads, component, latest, published, claimed)))
        .orElseGet(() -> DeploymentAssessor.assess(deployment.pods(), latest));
  }

  private Rollout rollout(Agreement agreement, long latest, SortedSet<String> nodes) {
    Rollout rollout =
        RolloutAssessor.rollout(agreement, latest, number -> layoutOf(number, latest), nodes);
    return rollout instanceof Rollout.Converged(long number, var layout, _, _)
        ? problem(number, layout).<Rollout>map(Rollout.Stuck::new).orElse(rollout)
        : rollout;
  }

  private Optional<EncryptionLayout> layoutOf(long number, long latest) {
    return (number == latest ? parts.newest() : parts.secret(reads, component, number))
        .flatMap(RolloutReader::layout);
  }

  private Optional<String> problem(long number, Optional<EncryptionLayout> layout) {
    if (number == 0) {
      return unreadable(published);
    }
    return layout.isPresent()
        ? Optional.empty()
        : Optional.of(
            "secret "
                + component.namespace()
                + "/"
                + component.revision(number)
                + ", which all instances run, is gone or cannot be read");
  }

  static Optional<ObjectNode> revision(Reads reads, Component component, long number) {
    return number == 0
        ? Optional.empty()
        : reads.get(component.secrets() + "/" + component.revision(number));
  }

  public static Optional<EncryptionLayout> layout(ObjectNode secret) {
    return ConfigSecretCodec.decode(SecretJson.read(secret)) instanceof Decoded.Good(var found)
        ? found
        : Optional.empty();
  }

  /// Nothing runs that could take the place of a configuration that cannot be read, so it is not
  /// written over.
  private static Optional<String> unreadable(Optional<ObjectNode> published) {
    return published
        .map(secret -> ConfigSecretCodec.decode(SecretJson.read(secret)))
        .flatMap(decoded ->
            decoded instanceof Decoded.Bad(var problem)
                ? Optional.of(
                    problem.where()
                        + " "
                        + problem.what()
                        + "; correct it, or delete it if nothing was encrypted")
                : Optional.empty());
  }
}
