package io.keyward.core.model.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.rollout.Revisions.Manifest;
import io.keyward.core.model.rollout.Revisions.Node;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RevisionsTest {
  private static Revisions revisions(long latest, Node... nodes) {
    return new Revisions(
        Optional.empty(), new Manifest.Unused(), latest, Optional.empty(), List.of(nodes));
  }

  @Test
  void agentsNeedTheNewestRevisionAndTheirTargets() {
    assertThat(revisions(7, new Node("a", 4, 5, 0, true), new Node("b", 5, 5, 6, true)).needed())
        .containsExactly(5L, 7L);
  }

  /// The newest one is the next target of each node: it must be readable before it is the target.
  @Test
  void theNewestRevisionIsNeededBeforeItIsATarget() {
    assertThat(revisions(2, new Node("a", 0, 0, 0, true)).needed()).containsExactly(2L);
  }

  @Test
  void withoutARevisionNoneIsNeeded() {
    assertThat(revisions(0, new Node("a", 0, 0, 0, true)).needed()).isEmpty();
  }
}
