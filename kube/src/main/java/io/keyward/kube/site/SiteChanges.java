package io.keyward.kube.site;

import io.keyward.kube.component.Component;

/// Is notified of changes that watches show.
public interface SiteChanges {
  /// An object of this API server changed.
  void changed(Component component);

  /// The requested encryption changed, or its object was touched.
  default void requested(Component component) {
    changed(component);
  }
}
