package io.keyward.testkit.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// A whole life of a cluster: how many instances each API server has, and what happens.
public record Scenario(List<Integer> instances, List<Event> events) {
  private static final Event.Kind[] KINDS = Event.Kind.values();
  private static final int TOTAL = total();
  private static final Event.Kind[] OPEN = {
    Event.Kind.RESTORE_ETCD,
    Event.Kind.REFUSE_OBJECT,
    Event.Kind.REFUSE_OBJECT,
    Event.Kind.ADMIT_OBJECTS
  };

  public Scenario {
    instances = List.copyOf(instances);
    events = List.copyOf(events);
  }

  private static int total() {
    int sum = 0;
    for (Event.Kind kind : KINDS) {
      sum += kind.weight();
    }
    return sum;
  }

  /// The same seed always gives the same scenario.
  public static Scenario of(long seed) {
    var random = new SplittableRandom(seed);
    var instances = new ArrayList<Integer>();
    for (int i = 0; i < World.SERVERS; i++) {
      instances.add(1 + random.nextInt(5));
    }
    // Drawn apart, so that the other draws of a seed stay what they are.
    var kinds = new SplittableRandom(seed ^ 0x5851F42D4C957F2DL);
    instances.replaceAll(
        count -> kinds.nextInt(4) == 0 ? Server.MOST_NODES + 1 + kinds.nextInt(3) : count);
    int length = 40 + random.nextInt(160);
    // Runs that look at one server only get further than runs that look at all three.
    boolean focused = random.nextBoolean();
    var events = new ArrayList<Event>(length);
    for (int i = 0; i < length; i++) {
      Event.Kind kind = draw(random);
      int a = focused && random.nextInt(8) != 0 ? 0 : random.nextInt(World.SERVERS);
      events.add(new Event(kind, a, random.nextInt(1000)));
    }
    return new Scenario(instances, events);
  }

  /// The same, with events for which the rules are not there yet.
  public static Scenario withOpenEvents(long seed) {
    Scenario life = of(seed);
    var random = new SplittableRandom(~seed);
    var events = new ArrayList<Event>();
    if (random.nextInt(3) == 0) {
      events.add(new Event(Event.Kind.ENCRYPTED_BEFORE, random.nextInt(World.SERVERS), 0));
    }
    for (Event event : life.events()) {
      events.add(event);
      if (random.nextInt(40) == 0) {
        events.add(new Event(OPEN[random.nextInt(OPEN.length)], event.a(), random.nextInt(1000)));
      }
    }
    return new Scenario(
        life.instances().stream()
            .map(count -> count > Server.MOST_NODES ? count - Server.MOST_NODES : count)
            .toList(),
        events);
  }

  private static Event.Kind draw(SplittableRandom random) {
    int pick = random.nextInt(TOTAL);
    for (Event.Kind kind : KINDS) {
      pick -= kind.weight();
      if (pick < 0) {
        return kind;
      }
    }
    return KINDS[0];
  }

  public String text() {
    var text = new StringBuilder("instances");
    instances.forEach(count -> text.append(' ').append(count));
    text.append('\n');
    events.forEach(event -> text.append(event.line()).append('\n'));
    return text.toString();
  }

  /// Reads what [#text] writes. Blank lines and lines that begin with `#` are passed over.
  public static Scenario parse(String text) {
    var instances = new ArrayList<Integer>();
    var events = new ArrayList<Event>();
    for (String line : text.lines().toList()) {
      String body = line.strip();
      if (body.startsWith("instances ")) {
        for (String count : body.substring("instances ".length()).split("\\s+", -1)) {
          instances.add(Integer.valueOf(count));
        }
      } else if (!body.isEmpty() && !body.startsWith("#")) {
        events.add(
            Event.parse(body)
                .orElseThrow(() -> new IllegalArgumentException("no such event: " + body)));
      }
    }
    if (instances.size() != World.SERVERS) {
      throw new IllegalArgumentException("a scenario names the instances of three API servers");
    }
    return new Scenario(instances, events);
  }
}
