package io.keyward.operator;

import io.keyward.core.rollout.Hindrance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Nodes of which something is told though they are none of this API server's any more.
///
/// That Kubernetes does not call a node one of the control plane stops no API server there, and one
/// with an old configuration may still write. So what its agent said is taken away, and the agent
/// is given time to say it again: it does where it lives. Who stays silent is forgotten, and
/// nothing goes on before. Who answers is asked again and again, so that an end of it shows.
public record Departures(List<Departure> nodes, Instant now) {
  /// An agent says again within half a minute what stands otherwise; a step of it may be slow.
  static final Duration PATIENCE = Duration.ofSeconds(90);

  static final Departures NONE = new Departures(List.of(), Instant.EPOCH);

  /// One of them.
  ///
  /// @param speaks whether its agent has said something that stands there
  /// @param asked when what it had said was last taken away
  /// @param answered whether it had said it again by then
  public record Departure(String node, boolean speaks, Optional<Instant> asked, boolean answered) {
    /// Whether its agent is there, as far as is known.
    public boolean reports() {
      return answered || (speaks && asked.isPresent());
    }

    public Hindrance hindrance() {
      return new Hindrance.Left(node, reports());
    }

    /// A time to come was told by another clock, and would be waited for too long.
    Next next(Instant now) {
      if (asked.filter(at -> !at.isAfter(now)).isEmpty()) {
        return Next.ASK;
      }
      if (now.isBefore(asked.orElseThrow().plus(PATIENCE))) {
        return Next.WAIT;
      }
      return speaks ? Next.ASK : Next.FORGET;
    }
  }

  /// What is done about one of them.
  enum Next {
    ASK,
    WAIT,
    FORGET
  }

  public Departures {
    nodes = List.copyOf(nodes);
  }

  /// What is done about them before anything else; nothing where there are none.
  Optional<RolloutDecision> next() {
    if (!those(Next.ASK).isEmpty()) {
      return Optional.of(new RolloutDecision.Ask(those(Next.ASK)));
    }
    if (!those(Next.FORGET).isEmpty()) {
      return Optional.of(
          new RolloutDecision.Forget(those(Next.FORGET).stream().map(Departure::node).toList()));
    }
    return nodes.stream()
        .findFirst()
        .map(one -> new RolloutDecision.Wait(one.hindrance().sentence()));
  }

  private List<Departure> those(Next next) {
    return nodes.stream().filter(one -> one.next(now) == next).toList();
  }
}
