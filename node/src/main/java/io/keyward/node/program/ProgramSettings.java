package io.keyward.node.program;

import io.keyward.kube.client.ClusterAccess;
import io.keyward.node.host.HostKind;
import io.keyward.node.plugin.PluginTiming;
import java.time.Duration;
import java.util.Optional;

/// The settings of a node agent.
///
/// @param node the name of this node
/// @param server the URL of the API server of this node; empty: as the manifest of kubeadm says
/// @param clusterServer the URL of the API while the API server of this node is down; empty: as the
///   kubeconfig says
/// @param access how to reach the cluster
/// @param files where the files of a static pod are on this node
/// @param command how an API server that is not a static pod gets its configuration
/// @param patience how long the API server may take to become ready
/// @param timing how often plugins are probed
public record ProgramSettings(
    String node,
    Optional<String> server,
    Optional<String> clusterServer,
    ClusterAccess access,
    HostKind.StaticPod files,
    Optional<HostKind.Command> command,
    Duration patience,
    PluginTiming timing) {}
