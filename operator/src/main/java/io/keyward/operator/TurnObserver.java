package io.keyward.operator;

import io.keyward.core.model.ObservedState;
import java.util.Set;

/// Is told of every turn.
public interface TurnObserver {
  TurnObserver NOBODY =
      new TurnObserver() {
        @Override
        public void turned(String component, ObservedState seen, Set<String> failed) {}

        @Override
        public void noTurn(String component) {}
      };

  /// A turn was taken.
  ///
  /// @param failed the parts that could not be carried out
  void turned(String component, ObservedState seen, Set<String> failed);

  /// Not even a look could be taken.
  void noTurn(String component);
}
