package io.keyward.storage.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.etcd.bytes.ByteView;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EtcdKeyTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # key                                                | resource                   | namespace | name
          /registry/secrets/payments/card                      | secrets                    | payments  | card
          /kubernetes.io/secrets/payments/card                 | secrets                    | payments  | card
          /registry/namespaces/payments                        | namespaces                 | ''        | payments
          /registry/deployments/web/front                      | deployments.apps           | web       | front
          /registry/clusterroles/system:node                   | clusterroles.rbac.authorization.k8s.io | '' | system:node
          /registry/services/specs/web/front                   | services                   | web       | front
          /registry/services/endpoints/web/front               | endpoints                  | web       | front
          /registry/minions/node-1                             | nodes                      | ''        | node-1
          /registry/controllers/web/old                        | replicationcontrollers     | web       | old
          /registry/ingress/web/front                          | ingresses.networking.k8s.io | web      | front
          /registry/example.com/pandas/zoo/mei                 | pandas.example.com         | zoo       | mei
          /registry/example.com/keepers/anna                   | keepers.example.com        | ''        | anna
          /registry/events/web/front.17a                       | events                     | web       | front.17a
          /openshift.io/routes/web/front                       | routes.route.openshift.io  | web       | front
          /openshift.io/oauth/accesstokens/sha256~x            | oauthaccesstokens.oauth.openshift.io | '' | sha256~x
          /openshift.io/imagestreams/web/front                 | imagestreams.image.openshift.io | web  | front
          /hosted/a/secrets/web/front                          | secrets                    | web       | front
          /registry/masterleases/10.0.0.1                      | INTERNAL                   | ''        | masterleases/10.0.0.1
          /registry/ranges/serviceips                          | INTERNAL                   | ''        | ranges/serviceips
          compact_rev_key                                      | INTERNAL                   | ''        | compact_rev_key
          /elsewhere/x                                         | FOREIGN                    | ''        | /elsewhere/x
          """)
  void tellsTheResource(String key, String resource, String namespace, String name) {
    EtcdKey parsed = EtcdKey.parse(ByteView.utf8(key), Optional.of("hosted/a"));
    String shown = parsed.isObject() ? parsed.resource().toString() : parsed.kind().name();
    assertThat(shown).isEqualTo(resource);
    assertThat(parsed.namespace()).isEqualTo(namespace);
    assertThat(parsed.name()).isEqualTo(name);
  }
}
