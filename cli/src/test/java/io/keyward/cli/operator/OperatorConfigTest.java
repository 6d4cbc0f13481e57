package io.keyward.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyward.cli.CommandFailure;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OperatorConfigTest {
  @TempDir private Path directory;

  private OperatorConfig read(String text) throws IOException {
    return OperatorConfig.read(Files.writeString(directory.resolve("operator.yaml"), text));
  }

  @Test
  void withoutAFileThereAreTheKubeApiServers() {
    Component one = OperatorConfig.read(null).apiServers().getFirst();
    assertThat(one.name()).isEqualTo("kube-apiserver");
    assertThat(one.resources()).hasToString("[configmaps, secrets]");
    assertThat(one.workload()).isEqualTo(Workload.RESTART_COMMAND);
    assertThat(one.deployment()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          workload: deployment                          | DEPLOYMENT | x
          workload: deployment, deployment: apiserver   | DEPLOYMENT | apiserver
          workload: staticPod, deployment: more         | STATIC_POD | more
          workload: staticPod                           | STATIC_POD |
          """)
  void aDeploymentBearsItsNameOrThatOfTheApiServer(
      String members, Workload workload, String deployment) throws IOException {
    Component one = read("apiServers: [{component: x, " + members + "}]").apiServers().getFirst();
    assertThat(one.workload()).isEqualTo(workload);
    assertThat(one.deployment()).isEqualTo(Optional.ofNullable(deployment));
    assertThat(one.isOnNodes()).isEqualTo(workload != Workload.DEPLOYMENT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          component: b, namespace: n, operatorResource: openshiftapiservers           | namespace
          component: a, namespace: m, operatorResource: openshiftapiservers           | component
          component: b, namespace: m                                                  | operatorResource
          component: b, namespace: m, operatorResource: pods                          | operatorResource is one of
          component: b, namespace: m, workload: daemonSet                             | workload is one of
          component: b, namespace: m, colour: red                                     | unknown member colour
          """)
  void everyApiServerHasItsOwn(String second, String problem) {
    assertThatThrownBy(() -> read("apiServers: [{component: a, namespace: n}, {" + second + "}]"))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining(problem);
  }
}
