package io.keyward.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class OperatorConfigTest {
  @TempDir private Path directory;

  private OperatorConfig read(String text) throws IOException {
    return OperatorConfig.read(
        Optional.of(Files.writeString(directory.resolve("operator.yaml"), text)));
  }

  @Test
  void withoutAFileThereAreTheKubeApiServers() {
    Component one = OperatorConfig.read(Optional.empty()).apiServers().getFirst();
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
        .isInstanceOf(ConfigFailure.class)
        .hasMessageContaining(problem);
  }

  @ParameterizedTest
  @CsvSource({"500ms,PT0.5S", "30s,PT30S", "4m,PT4M", "24h,PT24H"})
  void aTimeIsANumberAndAUnit(String text, Duration time) throws IOException {
    assertThat(read("settings: {reportInterval: " + text + "}").settings().reportInterval())
        .isEqualTo(time);
  }

  @ParameterizedTest
  @ValueSource(strings = {"30", "-1s", "1d", "1s2m", "1234567890s", "''"})
  void anythingElseIsNoTime(String text) {
    assertThatThrownBy(() -> read("settings: {reportInterval: " + text + "}"))
        .isInstanceOf(ConfigFailure.class)
        .hasMessage("reportInterval is not a time, as in 30s or 4m");
  }
}
