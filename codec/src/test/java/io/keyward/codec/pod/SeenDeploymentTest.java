package io.keyward.codec.pod;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SeenDeploymentTest {
  private static final String DEPLOYMENT =
      """
      {"metadata": {"name": "api", "resourceVersion": "1"}, "spec": {"template": {
        "metadata": {"labels": {"revision": "7"}},
        "spec": {
          "containers": [{"name": "api", "args": [ARGS], "volumeMounts": [
            {"name": "encryption-config", "mountPath": "/var/run/secrets/encryption-config"}]}],
          "volumes": [
            {"name": "encryption-config", "secret": {"secretName": "encryption-config-7"}}]}}}}
      """;

  /// An API server takes the last of several flags, also one whose file is a word of its own.
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # arguments                                             | runs                        | arguments of revision 7
          --encryption-provider-config=CONFIG, --v=1              | 7                           | as it is
          --v=1                                                   | label '7' without the flag  | --v=1, --encryption-provider-config=CONFIG
          --encryption-provider-config=/etc/x                     | label '7' without the flag  | --encryption-provider-config=CONFIG
          --encryption-provider-config=CONFIG, --encryption-provider-config=/x | label '7' without the flag | --encryption-provider-config=CONFIG
          --encryption-provider-config=/x, --v=1, --encryption-provider-config=CONFIG | 7            | as it is
          --encryption-provider-config, CONFIG, --v=1             | 7                           | as it is
          --encryption-provider-config, /x, --encryption-provider-config=CONFIG | 7                  | as it is
          --encryption-provider-config=CONFIG, --encryption-provider-config, /x | label '7' without the flag | --encryption-provider-config=CONFIG
          """)
  void theLastFlagCounts(String arguments, String runs, String patched)
      throws JsonProcessingException {
    var deployment =
        (ObjectNode) new ObjectMapper().readTree(DEPLOYMENT.replace("ARGS", words(arguments)));
    ObjectNode pod = deployment.withObject("/spec/template").deepCopy();
    var seen = new SeenDeployment("api", "encryption-config-", deployment, List.of(pod));
    assertThat(seen.instances().getFirst().revision()).isEqualTo(runs);
    if (!patched.equals("as it is")) {
      assertThat(seen.patch(7, List.of()).at("/spec/template/spec/containers/0/args").toString())
          .isEqualTo("[" + words(patched).replace(", ", ",") + "]");
    }
  }

  private static String words(String list) {
    return "\""
        + list.replace(", ", "\", \"")
            .replace("CONFIG", "/var/run/secrets/encryption-config/encryption-config")
        + "\"";
  }
}
