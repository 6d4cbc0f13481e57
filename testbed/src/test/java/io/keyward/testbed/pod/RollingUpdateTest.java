package io.keyward.testbed.pod;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.testbed.pod.RollingUpdate.Next;
import io.keyward.testbed.pod.RollingUpdate.State;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Two replicas. `o` is a pod of an older template and `n` of the present one, `-` after it is not
/// ready, `!` after it was told to end.
final class RollingUpdateTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                              | pods       | next
          none                                |            | start
          one starts                          | n-         | start
          both start                          | n- n-      | nothing
          both are there                      | n n        | nothing
          another template: one more          | o o        | start
          it is not ready                     | o o n-     | nothing
          it is ready: an old one goes        | o o n      | end 0
          while it ends the next is started   | o! o n     | start
          and the last old one goes then      | o n n      | end 0
          not before                          | o n n-     | nothing
          an old one that is not ready goes   | o- o n-    | end 0
          one too many                        | n n n      | end 2
          """)
  void oneAfterTheOther(String name, String pods, String next) {
    var states = new ArrayList<State>();
    for (String pod : pods == null ? List.<String>of() : List.of(pods.split(" ", -1))) {
      states.add(new State(pod.startsWith("n"), !pod.endsWith("-"), pod.endsWith("!")));
    }
    assertThat(
            switch (RollingUpdate.next(2, states)) {
              case Next.Start _ -> "start";
              case Next.End(int index) -> "end " + index;
              case Next.Nothing _ -> "nothing";
            })
        .as(name)
        .isEqualTo(next);
  }
}
