package io.keyward.engine;

/// Names one API server of one cluster. Logs, metrics, leases and migrations carry it, so that two
/// sites never meet.
///
/// @param cluster the name of a hosted cluster; empty for the cluster that the operator runs in
/// @param apiServer for example `kube-apiserver`
public record SiteId(String cluster, String apiServer) {
  public SiteId {
    if (apiServer.isEmpty()) {
      throw new IllegalArgumentException("a site needs the name of its API server");
    }
  }

  /// An API server of the cluster that the operator runs in.
  public static SiteId of(String apiServer) {
    return new SiteId("", apiServer);
  }

  @Override
  public String toString() {
    return cluster.isEmpty() ? apiServer : cluster + "/" + apiServer;
  }
}
