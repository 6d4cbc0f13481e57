package io.keyward.node.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.Resource;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import io.keyward.kube.install.Rights;
import io.keyward.kube.migrate.Migrator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// What rights are given for. No two of these need the same.
public enum Installation {
  COMMAND_AND_DEPLOYMENT(Workload.RESTART_COMMAND, Optional.of("more"), Migrator.Kind.OURS),
  STATIC_PODS(Workload.STATIC_POD, Optional.empty(), Migrator.Kind.IN_TREE),
  STATIC_PODS_OF_OPENSHIFT(
      Workload.STATIC_POD, Optional.empty(), Migrator.Kind.STORAGE_VERSION_MIGRATOR);

  /// A resource that is used for nothing else, so that the migrator's rights lend none to others.
  static final Resource LIMITS = new Resource("", "limitranges");

  private final Workload workload;
  private final Optional<String> deployment;
  private final Migrator.Kind migrator;

  Installation(Workload workload, Optional<String> deployment, Migrator.Kind migrator) {
    this.workload = workload;
    this.deployment = deployment;
    this.migrator = migrator;
  }

  Component component() {
    return new Component(
        "kube-apiserver",
        "kube-system",
        "kubeapiservers",
        workload,
        new TreeSet<>(List.of(LIMITS)),
        new TreeSet<>(),
        deployment);
  }

  Migrator.Kind migrator() {
    return migrator;
  }

  List<ObjectNode> rights() {
    return Rights.of(List.of(component()), migrator);
  }

  /// What can be taken from it, but for what another one has shown already: who leads has to do
  /// with no workload, and the last one differs from the one before in its migrator alone.
  List<RightPart> parts() {
    return RightPart.of(rights()).stream()
        .filter(part ->
            switch (this) {
              case COMMAND_AND_DEPLOYMENT -> true;
              case STATIC_PODS -> !part.isOfLeading();
              case STATIC_PODS_OF_OPENSHIFT -> part.isOfMigrating();
            })
        .toList();
  }
}
