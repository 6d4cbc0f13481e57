package io.keyward.core.act;

import java.util.List;

/// Acts that belong together: the first one that fails ends the step. Other steps go on.
public record Step(Feature feature, List<Act> acts) {
  public Step {
    acts = List.copyOf(acts);
  }

  Step(Feature feature, Act... acts) {
    this(feature, List.of(acts));
  }

  /// Whether the world is another one afterwards, so that the next look is worth taking.
  public boolean changesSomething() {
    return acts.stream().anyMatch(Act::changesSomething);
  }
}
