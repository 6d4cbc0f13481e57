package io.keyward.kube.site;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.WireNames;
import io.keyward.codec.migration.MigrationRecord;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.core.model.Condition;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.view.KeyView;
import io.keyward.core.view.SiteView;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// One API server as it is now, with what only its objects show.
///
/// @param created when the secrets of keys were created; a key whose secret is gone is not in it
public record StatusView(
    SiteView site, SortedMap<KeySerial, Instant> created, List<MigrationRecord> migrations) {
  public StatusView {
    migrations = List.copyOf(migrations);
  }

  /// Whether a condition reports that something is wrong.
  public boolean isDegraded() {
    return site.conditions().stream().anyMatch(Condition::isDegraded);
  }

  static StatusView of(
      SiteView site, Map<String, ObjectNode> secrets, Collection<MigrationRecord> migrations) {
    var created = new TreeMap<KeySerial, Instant>();
    for (KeyView key : site.keys()) {
      Optional.ofNullable(
              secrets.get(WireNames.keySecretName(site.component(), key.serial().value())))
          .flatMap(ObjectMeta::created)
          .ifPresent(at -> created.put(key.serial(), at));
    }
    return new StatusView(site, created, List.copyOf(migrations));
  }
}
