package io.keyward.kube.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.kube.client.Api;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Objects are `uid@resourceVersion`.
public final class RefusedRewriteTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                       | listed | now | status | verdict
          gone                         | u@7    | -   | 404    | done
          written by another client    | u@7    | u@8 | 409    | done
          deleted and created again    | u@7    | v@9 | 409    | done
          refused by a webhook         | u@7    | u@7 | 409    | failed
          refused, or its namespace is missing | u@7 | u@7 | 404 | failed
          gone after a conflict        | u@7    | -   | 409    | done
          written after it was missing | u@7    | u@8 | 404    | done
          """)
  void onlyAnObjectThatChangedIsDone(
      String name, String listed, String now, int status, String verdict) {
    Optional<String> problem =
        RefusedRewrite.problem(
            metadata(listed),
            now.equals("-") ? Optional.empty() : Optional.of(metadata(now)),
            status);
    assertThat(problem.isPresent() ? "failed" : "done").as(name).isEqualTo(verdict);
    problem.ifPresent(words -> assertThat(words).contains("answers the update with " + status));
  }

  /// Nothing of the answer is repeated: it may quote a Secret.
  @Test
  void aRefusalOfThePolicyNamesTheWebhookBehindIt() {
    String body =
        "{\"message\":\"secrets \\\"s\\\" is forbidden: ValidatingAdmissionPolicy"
            + " 'keyward-migrator' with binding 'keyward-migrator' denied request: hush\"}";
    assertThat(RefusedRewrite.remedy(403, body))
        .contains("admission webhook", "exclude the account keyward-migrator")
        .doesNotContain("hush");
    assertThat(RefusedRewrite.remedy(403, "ValidatingAdmissionPolicy 'other'")).isEmpty();
    assertThat(RefusedRewrite.remedy(500, "")).contains("keyward audit");
  }

  private static JsonNode metadata(String text) {
    int at = text.indexOf('@');
    ObjectNode object = Api.JSON.createObjectNode();
    object
        .putObject("metadata")
        .put("uid", text.substring(0, at))
        .put("resourceVersion", text.substring(at + 1));
    return object;
  }
}
