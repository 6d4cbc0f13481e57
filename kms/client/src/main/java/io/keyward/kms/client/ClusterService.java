package io.keyward.kms.client;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Names of services of a cluster. Pure.
public final class ClusterService {
  private ClusterService() {}

  /// Whether a host looks like the name of a service: `kms.vault.svc`, also with a cluster domain.
  /// An API server needs its KMS to start, and such a name is resolved and routed by what needs the
  /// API server.
  public static boolean isNamedBy(String host) {
    List<String> labels = Arrays.asList(host.toLowerCase(Locale.ROOT).split("\\.", -1));
    return labels.indexOf("svc") > 0;
  }
}
