package io.keyward.engine;

import io.keyward.core.view.SiteView;
import java.util.Set;

/// Is notified of every turn. Sees nothing secret.
public interface TurnObserver {
  TurnObserver NOBODY =
      new TurnObserver() {
        @Override
        public void turned(SiteId site, SiteView seen, Set<String> failed) {}

        @Override
        public void noTurn(SiteId site) {}

        @Override
        public void removed(SiteId site) {}
      };

  /// A turn was taken.
  ///
  /// @param failed the parts that could not be carried out
  void turned(SiteId site, SiteView seen, Set<String> failed);

  /// The site could not even be observed.
  void noTurn(SiteId site);

  /// The site is no longer in the registry.
  void removed(SiteId site);
}
