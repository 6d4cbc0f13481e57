package io.keyward.core.rollout.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.rollout.node.NodeView.OnDisk;
import io.keyward.core.rollout.node.NodeView.RestartWait;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// On disk is a revision, with `<p` where process p ran when it was written, `*` where its
/// configuration differs from the one before, and `~` where it is not the one that was written.
///
/// The API server is the process p, which started an hour before the files were written, or q,
/// which started five minutes after; `-` where none answers. `p+2h` is p after the clock was set
/// two hours on, and `p~2h` the same where the API server remembers the start that it once read.
/// After it stands `!` where it is not ready, `=` where it says that it has loaded the
/// configuration on disk, and `#` where it says that it has loaded another one. `q@` is q after
/// another boot.
final class NodeDeciderTest {
  private static final Instant WRITTEN = Instant.parse("2026-01-02T12:00:00Z");
  private static final Instant BOOT = Instant.parse("2026-01-01T00:00:00Z");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                       | wanted | disk | server | arrived | restart  | failed | decision
          nothing was ever brought                     | 0      | 0    | p      | 0       | none     | -      | arrived 0
          and its API server is down                   | 0      | 0    | -      | 0       | none     | -      | wait
          the first revision                           | 1      | 0    | p      | 0       | none     | -      | bring 1
          the next one                                 | 5      | 4<p  | q      | 4       | none     | -      | bring 5
          one that could not be brought is tried again | 5      | 4<p  | q      | 4       | none     | 5      | bring 5
          never an older one                           | 4      | 5<p  | q      | 5       | none     | -      | arrived 5
          the old one still answers                    | 5      | 5<p  | p      | 4       | pending  | -      | wait
          then nobody                                  | 5      | 5<p  | -      | 4       | pending  | -      | wait
          then a new one that is not ready             | 5      | 5<p  | q!     | 4       | pending  | -      | wait
          then it is ready                             | 5      | 5<p  | q      | 4       | pending  | -      | arrived 5
          and says that it has loaded it               | 5      | 5<p  | q=     | 4       | pending  | -      | arrived 5
          loaded by the old one is not started anew    | 5      | 5<p  | p=     | 4       | pending  | -      | wait
          a new one that has loaded something else     | 5      | 5<p  | q#     | 4       | pending  | -      | wait
          a pod that has loaded a new configuration    | 5      | 5*   | p=     | 4       | pending  | -      | arrived 5
          a pod of the same configuration              | 5      | 5<p  | p=     | 4       | pending  | -      | wait
          the old one answers for too long             | 5      | 5<p  | p      | 4       | expired  | -      | again 5
          told once                                    | 5      | 5<p  | -      | 4       | expired  | 5      | wait
          nobody answers for too long                  | 5      | 5<p  | -      | 4       | expired  | -      | give up 5
          not ready for too long                       | 5      | 5<p  | q!     | 4       | expired  | -      | give up 5
          what was told of an older one is no news     | 5      | 5<p  | -      | 4       | expired  | 4      | give up 5
          it came up at last                           | 5      | 5<p  | q      | 4       | expired  | 5      | arrived 5
          the agent was restarted, the command not run | 5      | 5<p  | p      | 4       | none     | -      | restart
          the agent was restarted after all was done   | 5      | 5<p  | q      | 5       | none     | -      | arrived 5
          the agent was restarted before it was told   | 5      | 5<p  | q      | 4       | none     | -      | arrived 5
          it ended by itself after it had arrived      | 5      | 5<p  | -      | 5       | none     | -      | wait
          and was started by itself                    | 5      | 5<p  | q      | 5       | none     | -      | arrived 5
          it ended by itself before the files came     | 5      | 5<q  | q      | 4       | pending  | -      | wait
          the machine was booted anew                  | 5      | 5<q  | q@     | 4       | none     | -      | arrived 5
          somebody changed the file                    | 5      | 5<p  | q#     | 5       | none     | -      | restart
          the file does not hold what was written      | 5      | 5<p~ | q      | 4       | pending  | -      | give up 5
          nor after it had arrived                     | 5      | 5<p~ | q      | 5       | none     | -      | give up 5
          its API server is not started with it        | 5      | 5<p~ | p      | 4       | none     | -      | give up 5
          the same of a pod that has loaded it         | 5      | 5<p~ | q=     | 4       | pending  | -      | give up 5
          the next revision corrects it                | 6      | 5<p~ | q      | 5       | none     | -      | bring 6
          clock back: a new one seems old              | 5      | 5<p  | q-2h   | 4       | pending  | -      | arrived 5
          the same with what it has loaded             | 5      | 5<p  | q-2h=  | 4       | pending  | -      | arrived 5
          clock back after it had arrived              | 5      | 5<p  | q-2h   | 5       | none     | -      | arrived 5
          the same, and nobody knows who ran before    | 5      | 5    | q-2h=  | 5       | none     | -      | arrived 5
          clock back: the old one is still the old one | 5      | 5<p  | p-2h   | 4       | pending  | -      | wait
          clock on: the old one seems new              | 5      | 5<p  | p+2h   | 4       | pending  | -      | wait
          the same where it remembers its start        | 5      | 5<p  | p~2h   | 4       | pending  | -      | wait
          clock on, and the agent was restarted        | 5      | 5<p  | p+2h   | 4       | none     | -      | restart
          nobody knows who ran: later by the clock     | 5      | 5    | q      | 4       | pending  | -      | arrived 5
          nobody knows who ran: earlier by the clock   | 5      | 5    | p      | 4       | none     | -      | restart
          and after that restart everybody knows       | 5      | 5<p  | q-2h   | 4       | pending  | -      | arrived 5
          """)
  void decides(
      String name,
      long wanted,
      String disk,
      String server,
      long arrived,
      String restart,
      String failed,
      String decision) {
    assertThat(show(decide(wanted, disk, server, arrived, restart, failed, Optional.empty())))
        .as(name)
        .isEqualTo(decision);
  }

  @ParameterizedTest
  @CsvSource({"0,0,arrived 0", "1,0,give up 1", "5,4<p,give up 5", "4,4<p,arrived 4"})
  void noRevisionReplacesAnExistingConfiguration(long wanted, String disk, String decision) {
    NodeDecision decided =
        decide(wanted, disk, "q", 0, "none", "-", Optional.of("aescbc for secrets"));
    assertThat(show(decided)).isEqualTo(decision);
    if (decided instanceof NodeDecision.GiveUp(var failure)) {
      assertThat(failure.kind()).isEqualTo(NodeFailure.Kind.NOT_BROUGHT);
      assertThat(failure.why()).endsWith("that Keyward did not create: aescbc for secrets");
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                   | wanted | disk | server | arrived | ready
          it runs what is on disk                  | 5      | 5<p  | q=     | 5       | true
          it does not say what it runs             | 5      | 5<p  | q      | 5       | true
          it is not ready                          | 5      | 5<p  | q!=    | 5       | false
          an edited file was restored              | 5      | 5<p  | q#     | 5       | false
          the file is edited, it runs the revision | 5      | 5<p~ | q#     | 5       | true
          the revision has not arrived yet         | 5      | 5<p  | p#     | 4       | true
          the next one is not written yet          | 6      | 5<p  | q#     | 5       | true
          """)
  void isReadyWithTheRevisionThatArrived(
      String name, long wanted, String disk, String server, long arrived, boolean ready) {
    var seen =
        new NodeView(
            wanted,
            disk(disk),
            server(server),
            arrived,
            RestartWait.NONE,
            Optional.empty(),
            Optional.empty());
    assertThat(NodeDecider.isReady(seen)).as(name).isEqualTo(ready);
  }

  private static NodeDecision decide(
      long wanted,
      String disk,
      String server,
      long arrived,
      String restart,
      String failed,
      Optional<String> existing) {
    return NodeDecider.decide(
        new NodeView(
            wanted,
            disk(disk),
            server(server),
            arrived,
            RestartWait.valueOf(restart.toUpperCase(Locale.ROOT)),
            failed.equals("-")
                ? Optional.empty()
                : Optional.of(
                    new NodeFailure(
                        Long.parseLong(failed), NodeFailure.Kind.NOT_READY, "as told before")),
            existing));
  }

  private static OnDisk disk(String text) {
    int before = text.indexOf('<');
    return new OnDisk(
        Long.parseLong(text.substring(0, 1)),
        "on disk",
        text.endsWith("*"),
        WRITTEN,
        before < 0
            ? Optional.empty()
            : Optional.of(process(text.substring(before + 1).replace("~", ""))),
        !text.endsWith("~"));
  }

  private static NodeView.Server server(String text) {
    if (text.equals("-")) {
      return NodeView.Server.UNREACHABLE;
    }
    Optional<String> loaded =
        text.contains("=")
            ? Optional.of("on disk")
            : text.contains("#") ? Optional.of("another") : Optional.empty();
    return new NodeView.Server(
        !text.contains("!"), Optional.of(process(text.replaceAll("[!=#]", ""))), loaded);
  }

  private static ApiServerProcess process(String text) {
    Instant start = WRITTEN.plus(Duration.ofMinutes(text.startsWith("p") ? -60 : 5));
    Duration since = Duration.between(BOOT, start);
    String boot = text.endsWith("@") ? "another boot" : "one boot";
    if (text.endsWith("h")) {
      Duration step = Duration.ofHours(Long.parseLong(text.substring(2, 3)));
      return switch (text.charAt(1)) {
        case '+' -> new ApiServerProcess(boot, start.plus(step), since);
        case '-' -> new ApiServerProcess(boot, start.minus(step), since);
        // The boot seems to be later, the start does not.
        default -> new ApiServerProcess(boot, start, since.minus(step));
      };
    }
    return new ApiServerProcess(boot, start, since);
  }

  private static String show(NodeDecision decision) {
    return switch (decision) {
      case NodeDecision.Bring(long revision) -> "bring " + revision;
      case NodeDecision.Restart _ -> "restart";
      case NodeDecision.RestartAgain(var failure) -> "again " + failure.revision();
      case NodeDecision.Arrived(long revision) -> "arrived " + revision;
      case NodeDecision.GiveUp(var failure) -> "give up " + failure.revision();
      case NodeDecision.Wait _ -> "wait";
    };
  }
}
