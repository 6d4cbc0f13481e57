package io.keyward.core.event;

/// One event, to be sent once the part of the plan that it speaks of is carried out.
///
/// @param reason a word that others look for
public record TurnEvent(Part part, String reason, String message) {
  /// The part of the plan.
  public enum Part {
    KEY,
    LAYOUT,
    PRUNE
  }
}
