package io.keyward.kube.client;

import io.keyward.codec.object.ServerVersion;
import io.keyward.core.model.Resource;

/// Where an API server serves a resource.
public final class Discovery {
  private Discovery() {}

  /// Of the API group, as the server prefers it.
  public static String version(Api api, Resource resource) {
    if (resource.group().isEmpty()) {
      return "v1";
    }
    return api.get("/apis/" + resource.group())
        .map(ServerVersion::preferred)
        .filter(version -> !version.isEmpty())
        .orElseThrow(
            () -> new ClusterFailure("no API server serves the group of " + resource, 404));
  }

  public static String root(Api api, Resource resource) {
    return resource.group().isEmpty()
        ? "/api/v1"
        : "/apis/" + resource.group() + "/" + version(api, resource);
  }
}
