package io.keyward.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.Condition;
import io.keyward.core.model.MigrationStatus.State;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Events for which the rules are not there yet. The guards that exist hold, the rest is open.
final class OpenEventsTest {
  private static final Set<Event.Kind> OPEN =
      EnumSet.of(
          Event.Kind.RESTORE_ETCD,
          Event.Kind.ENCRYPTED_BEFORE,
          Event.Kind.REFUSE_OBJECT,
          Event.Kind.ADMIT_OBJECTS);

  private final World world = new World(List.of(2, 1, 2), Brain.ENGINE);
  private final Server server = world.servers.getFirst();
  private final Happening happening = new Happening(world);

  static Stream<Path> files() throws IOException {
    try (Stream<Path> found = Files.list(Path.of("src/test/scenarios-open"))) {
      return found.sorted().toList().stream();
    }
  }

  /// If this fails, the engine has learned the rule: move the file to `scenarios`.
  @ParameterizedTest
  @MethodSource("files")
  void stillBreaks(Path file) throws IOException {
    String text = Files.readString(file);
    Scenario scenario = Scenario.parse(text);
    assertThat(text).startsWith("# statement ").contains("issue \"11.\" brings the rule");
    assertThat(Simulator.run(scenario, Brain.ENGINE).violation())
        .map(violation -> "# statement " + violation.statement() + ":")
        .hasValueSatisfying(statement -> assertThat(text).startsWith(statement));
  }

  @Test
  void onlyTheSwitchDrawsThem() {
    assertThat(kinds(LongStream.range(0, 300).mapToObj(Scenario::withOpenEvents)))
        .containsAll(OPEN);
    assertThat(kinds(LongStream.range(0, 300).mapToObj(Scenario::of)))
        .doesNotContainAnyElementsOf(OPEN);
  }

  private static Stream<Event.Kind> kinds(Stream<Scenario> lives) {
    return lives.flatMap(life -> life.events().stream()).map(Event::kind).distinct();
  }

  private void happen(Event.Kind kind, int b) {
    happening.happen(new Event(kind, 0, b));
  }

  /// The first key protects everything.
  private void encrypt() {
    world.keepsBackups = true;
    happen(Event.Kind.MONITOR, 0);
    request(Mode.AESCBC);
    happen(Event.Kind.SETTLE, 11);
    assertThat(server.secrets).containsOnlyKeys(KeySerial.FIRST);
    assertThat(isPlaintextStored()).isFalse();
  }

  private void request(Mode mode) {
    world.spec.mode = mode;
    world.servers.forEach(one -> one.invariants.onSpec(world.spec));
  }

  private boolean isPlaintextStored() {
    return server.etcd.values().stream().flatMap(Stream::of).anyMatch(Value.PLAINTEXT::equals);
  }

  private Stream<String> waits() {
    return server.conditions.stream()
        .filter(one -> one.type().equals("EncryptionWaiting"))
        .map(Condition::reason);
  }

  @Test
  void aRestoreTakesObjectsBackAndLeavesTheNodesAlone() {
    encrypt();
    Instance instance = server.instances.getFirst();
    Server.Revision runs = instance.runs;

    server.backups.getFirst().restore(server);

    assertThat(server.secrets).isEmpty();
    assertThat(server.published).isNull();
    assertThat(server.latest()).isZero();
    assertThat(isPlaintextStored()).isTrue();
    assertThat(instance.runs).isSameAs(runs);
    assertThat(instance.revision).isPositive();
  }

  @Test
  void afterARestoreNothingIsPublished() {
    encrypt();

    server.backups.getFirst().restore(server);
    happen(Event.Kind.SETTLE, 11);

    assertThat(waits()).containsExactly("UnknownRevision");
    assertThat(server.secrets).isEmpty();
    assertThat(server.published).isNull();
    assertThat(server.latest()).isZero();
  }

  @Test
  void anExistingConfigurationIsReportedAndNothingIsPublished() {
    happen(Event.Kind.ENCRYPTED_BEFORE, 0);
    request(Mode.AESCBC);
    happen(Event.Kind.SETTLE, 11);

    assertThat(waits()).containsExactly("ExistingEncryption");
    assertThat(server.secrets).isEmpty();
    assertThat(server.published).isNull();
    assertThat(server.latest()).isZero();
  }

  @Test
  void aRefusedObjectFailsTheMigrationAndItsKeyStays() {
    encrypt();
    happen(Event.Kind.REFUSE_OBJECT, 0);
    request(Mode.SECRETBOX);
    happen(Event.Kind.SETTLE, 11);

    assertThat(server.migrations.values())
        .extracting(migration -> migration.status().state())
        .hasAtLeastOneElementOfType(State.Failed.class);
    assertThat(server.secrets).containsKey(KeySerial.FIRST);
    assertThat(isStoredUnderTheFirstKey()).isTrue();

    happen(Event.Kind.ADMIT_OBJECTS, 0);
    for (int i = 0; i < 10; i++) {
      happen(Event.Kind.SETTLE, 11);
    }
    assertThat(isStoredUnderTheFirstKey()).isFalse();
  }

  private boolean isStoredUnderTheFirstKey() {
    return server.etcd.values().stream()
        .flatMap(Stream::of)
        .flatMap(value -> Stream.ofNullable(value.sealedBy()))
        .anyMatch(key -> key.serial().equals(KeySerial.FIRST));
  }
}
