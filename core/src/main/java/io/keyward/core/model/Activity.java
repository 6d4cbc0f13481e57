package io.keyward.core.model;

import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.PreflightState;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What is going on beside the secrets: migrations, preflights, plugin health, the last audit.
public record Activity(
    SortedMap<Resource, MigrationStatus> migrations,
    PreflightState preflight,
    List<HealthReport> reports,
    Optional<AuditProof> audit) {
  public static final Activity NONE =
      new Activity(new TreeMap<>(), PreflightState.NONE, List.of(), Optional.empty());

  public Activity {
    migrations = Collections.unmodifiableSortedMap(new TreeMap<>(migrations));
    reports = List.copyOf(reports);
  }
}
