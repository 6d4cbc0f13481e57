package io.keyward.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.etcd.live.Access;
import io.keyward.etcd.live.LiveEtcd;
import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.binary.ServerBinary;
import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.Ports;
import io.keyward.testbed.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Three members of one etcd: the audit goes on at the same revision when the one it asks dies.
final class EtcdMembersIT {
  /// So many that a walk has several pages; as many in a transaction as etcd takes.
  private static final int CHANGES = 128;

  private static final int TRANSACTIONS = 5;

  private record Member(String name, int clientPort, int peerPort) {
    String client() {
      return "http://127.0.0.1:" + clientPort;
    }

    String peer() {
      return "http://127.0.0.1:" + peerPort;
    }
  }

  private final ServerBinaries binaries = ServerBinaries.ofThisMachine();
  private final List<Member> members =
      List.of(
          new Member("a", Ports.free(), Ports.free()),
          new Member("b", Ports.free(), Ports.free()),
          new Member("c", Ports.free(), Ports.free()));
  private final List<ServerProcess> processes = new ArrayList<>();

  @BeforeEach
  void start(@TempDir Path directory) {
    for (Member member : members) {
      processes.add(ServerProcess.start(launch(member, directory)));
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> ctl("", "endpoint", "health").exitCode() == 0);
    for (int i = 0; i < TRANSACTIONS; i++) {
      var puts = new StringBuilder("\n");
      for (int j = 0; j < CHANGES; j++) {
        puts.append("put /registry/configmaps/a/").append(i * CHANGES + j).append(" x\n");
      }
      Ctl put = ctl(puts.append("\n\n").toString(), "txn");
      assertThat(put.exitCode()).as(put.output()).isZero();
    }
  }

  @AfterEach
  void stop() {
    processes.forEach(ServerProcess::kill);
  }

  private Launch launch(Member member, Path directory) {
    String all =
        members.stream()
            .map(each -> each.name() + "=" + each.peer())
            .collect(Collectors.joining(","));
    return new Launch(
        "etcd " + member.name(),
        List.of(
            binaries.ensure(ServerBinary.ETCD).toString(),
            "--name=" + member.name(),
            "--data-dir=" + directory.resolve(member.name()),
            "--listen-client-urls=" + member.client(),
            "--advertise-client-urls=" + member.client(),
            "--listen-peer-urls=" + member.peer(),
            "--initial-advertise-peer-urls=" + member.peer(),
            "--initial-cluster=" + all,
            "--unsafe-no-fsync"),
        Map.of(),
        directory.resolve(member.name() + ".log"),
        Launch.Lifetime.WITH_JVM);
  }

  @Test
  void anAuditGoesOnWithAnotherMemberWhenTheFirstIsKilled() {
    var keys = new ArrayList<String>();
    try (LiveEtcd live = new LiveEtcd(access())) {
      LiveEtcd.Survey survey =
          live.forEach((key, _, _) -> {
            if (keys.isEmpty()) {
              processes.getFirst().kill();
              // The first may have led: the others take their time to elect another.
              Awaitility.await()
                  .atMost(Duration.ofSeconds(60))
                  .until(() ->
                      ctl("", "put", "/registry/configmaps/z", "after the walk began").exitCode()
                          == 0);
            }
            keys.add(key.utf8().orElse("?"));
          });
      assertThat(survey.keys()).isEqualTo(CHANGES * TRANSACTIONS);
    }
    assertThat(keys).hasSize(CHANGES * TRANSACTIONS).doesNotHaveDuplicates().isSorted();
    assertThat(processes.getFirst().isRunning()).isFalse();
  }

  private Access access() {
    return new Access(
        members.stream()
            .map(member -> new Access.Endpoint("127.0.0.1", member.clientPort(), false))
            .toList(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private record Ctl(int exitCode, String output) {}

  private Ctl ctl(String input, String... arguments) {
    var command = new ArrayList<String>();
    command.add(binaries.ensure(ServerBinary.ETCDCTL).toString());
    command.add(
        "--endpoints="
            + members.stream().skip(1).map(Member::client).collect(Collectors.joining(",")));
    command.addAll(List.of(arguments));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      try (var stdin = process.getOutputStream()) {
        stdin.write(input.getBytes(UTF_8));
      }
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      return new Ctl(process.waitFor(), output);
    } catch (IOException e) {
      throw new AssertionError("etcdctl does not start", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
