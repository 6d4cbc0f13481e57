package io.keyward.operator;

import io.keyward.codec.WireNames;
import io.keyward.codec.object.RotationPatch;
import io.keyward.core.model.key.Mode;
import io.keyward.core.view.KeyView;
import io.keyward.core.view.SiteView;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.component.ClusterApi;
import io.keyward.kube.component.Component;
import java.util.Locale;

/// Requests a rotation of one API server as an administrator does: a new local key, or for a KMS
/// key that everything is re-encrypted under it. A new KMS key under the same remote key would
/// protect nothing better.
final class RotationRequest {
  private final Api api;
  private final Component component;
  private final SiteView site;

  RotationRequest(Api api, Component component, SiteView site) {
    this.api = api;
    this.component = component;
    this.site = site;
  }

  /// Writes the request, and returns what was written, in words.
  ///
  /// @param reason distinguishes this request from earlier ones
  String send(String reason) {
    KeyView newest =
        site.keys().stream()
            .findFirst()
            .filter(_ -> !site.wanted().equals(Mode.IDENTITY.word()))
            .orElseThrow(() ->
                new ClusterFailure(
                    component.name()
                        + " has no key to rotate: request an encryption type first, for example"
                        + " aescbc"));
    if (!newest.mode().equals(site.wanted())) {
      throw new ClusterFailure(
          component.name()
              + " is changing from "
              + newest.mode()
              + " to "
              + site.wanted()
              + ", which creates a new key; wait until keyward status reports Encrypted");
    }
    return newest.mode().equals(Mode.KMS.word()) ? reencrypt(newest, reason) : newKey(reason);
  }

  private String reencrypt(KeyView newest, String reason) {
    String name = WireNames.keySecretName(component.name(), newest.serial().value());
    String path = component.managed() + "/secrets/" + name;
    if (api.get(path).isEmpty()) {
      throw new ClusterFailure(
          "secret " + name + " is missing; the operator restores it, then run this again");
    }
    api.mergePatch(path, RotationPatch.ofKeySecret(reason));
    return "secret/" + name + " annotated: everything is re-encrypted with the same KMS key";
  }

  private String newKey(String reason) {
    api.mergePatch(
        component.operatorPath(),
        component.api() == ClusterApi.KEYWARD
            ? RotationPatch.ofClusterEncryption(reason)
            : RotationPatch.ofOverrides(component.statusMember(), reason));
    return component.kind().toLowerCase(Locale.ROOT)
        + "/cluster patched: a new "
        + site.wanted()
        + " key is requested";
  }
}
