package io.keyward.core.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.rollout.Revisions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class RevisionKeeperTest {
  @Test
  void keepsTheLastFiveAndWhatNodesNeed() {
    var nodes =
        List.of(new Revisions.Node("a", 9, 9, 0, true), new Revisions.Node("b", 2, 3, 1, true));
    assertThat(
            RevisionKeeper.needless(
                Set.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L), 9, nodes, List.of()))
        .containsExactly(4L);
  }

  @Test
  void keepsAllWhileThereAreFew() {
    assertThat(RevisionKeeper.needless(Set.of(1L, 2L, 3L, 4L, 5L), 5, List.of(), List.of()))
        .isEmpty();
  }

  @Test
  void keepsWhatIsInTheFilesOfANode() {
    assertThat(
            RevisionKeeper.needless(Set.of(1L, 2L, 3L, 4L, 5L, 6L, 7L), 7, List.of(), List.of(2L)))
        .containsExactly(1L);
  }
}
