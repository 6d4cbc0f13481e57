package io.keyward.core.condition;

import io.keyward.core.health.HealthDecision;
import io.keyward.core.key.KeyDecision;
import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.preflight.PreflightDecision;
import io.keyward.core.prune.PruneDecision;
import io.keyward.core.rotation.RotationDecision;

/// The decisions of one turn, to be put into words.
public record Decisions(
    KeyDecision key,
    LayoutDecision layout,
    MigrationDecision migration,
    PreflightDecision preflight,
    RotationDecision rotation,
    PruneDecision prune,
    HealthDecision health) {}
