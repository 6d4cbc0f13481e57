package io.keyward.testkit.sim;

import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// What the admin wrote, for all API servers.
final class Spec {
  static final List<List<Resource>> RESOURCES =
      List.of(
          List.of(Resource.parse("configmaps"), Resource.parse("secrets")),
          List.of(Resource.parse("routes.route.openshift.io")),
          List.of(
              Resource.parse("oauthaccesstokens.oauth.openshift.io"),
              Resource.parse("oauthauthorizetokens.oauth.openshift.io")));

  Mode mode = Mode.IDENTITY;
  int remoteKey;

  /// Whether users run the plugin themselves.
  boolean external;

  int image = 1;
  int credentials = 1;
  String reason = "";
  final List<TreeSet<Resource>> resources = new ArrayList<>();

  Spec() {
    RESOURCES.forEach(list -> resources.add(new TreeSet<>(list)));
  }

  RequestedEncryption wanted(int server, Kms kms) {
    return new RequestedEncryption(
        mode,
        mode == Mode.KMS
            ? Optional.of(
                external
                    ? kms.external(remoteKey, image)
                    : kms.config(remoteKey, image, credentials))
            : Optional.empty(),
        reason,
        Optional.empty(),
        resources.get(server));
  }
}
