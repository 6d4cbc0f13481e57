package io.keyward.kube.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public final class ForeignLoadTest {
  private static final String HEAD =
      "PriorityLevelName, ActiveQueues, IsIdle, DispatchedRequests, RejectedRequests\n";
  private static final long HALF_A_SECOND = 500_000_000;

  private final ForeignLoad others = new ForeignLoad();
  private long let = 1_000;
  private long ours;
  private long nanos;

  /// Half a second in which we made so many requests, and others so many.
  private void pass(int our, int their) {
    let += our + their;
    ours += our;
    nanos += HALF_A_SECOND;
    others.seen(OptionalLong.of(let), ours, nanos);
  }

  @Test
  void addsUpAllLevels() {
    assertThat(
            ForeignLoad.parse(
                HEAD + "exempt,     0,  false,  472, 9\nworkload-low, 0, true, 80, 0\n\n"))
        .hasValue(552);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n\n",
        "<html>",
        "Forbidden",
        "PriorityLevelName, ActiveQueues\nexempt, 0\n",
        HEAD + "exempt, 0, false\n",
        HEAD + "exempt, 0, false, many, 0\n",
        HEAD + "exempt, 0, false, -1, 0\n",
        HEAD + "exempt, 0, false, 99999999999999999999, 0\n"
      })
  void anythingElseSaysNothing(String table) {
    assertThat(ForeignLoad.parse(table)).isEmpty();
  }

  @Test
  void thereAreOthersUntilItIsKnown() {
    assertThat(others.present()).isTrue();
    assertThat(others.word()).isEqualTo("unknown");
    pass(0, 0);
    assertThat(others.present()).as("one number is no rate").isTrue();
    pass(200, 2);
    assertThat(others.present()).isFalse();
    assertThat(others.word()).isEqualTo("no");
  }

  /// Fifty a second, which is what somebody who reads all the time may make.
  @Test
  void whoComesIsSeenSoonAndMissedLater() {
    for (int look = 0; look < 6; look++) {
      pass(200, 10);
    }
    assertThat(others.word()).as("an idle cluster").isEqualTo("no");
    for (int look = 0; look < 4; look++) {
      pass(200, 25);
    }
    assertThat(others.present()).isTrue();
    assertThat(others.word()).isEqualTo("yes");
    pass(200, 25);
    pass(200, 15);
    assertThat(others.present()).as("one look is not enough").isTrue();
    for (int look = 0; look < 4; look++) {
      pass(200, 10);
    }
    assertThat(others.present()).isFalse();
  }

  /// Many at once are let in before they are counted as ours, or after.
  @Test
  void requestsUnderWayAreNotOthers() {
    for (int look = 0; look < 20; look++) {
      pass(200, look % 2 == 0 ? 15 : -15);
      assertThat(others.word()).isNotEqualTo("yes");
    }
  }

  @Test
  void aServerThatDoesNotSayHasOthers() {
    pass(0, 0);
    pass(200, 0);
    others.seen(OptionalLong.empty(), ours, nanos);
    assertThat(others.present()).isTrue();
    assertThat(others.word()).isEqualTo("not told");
  }

  /// Looks that meet another server each time, with a great number and a small one.
  @Test
  void severalServersBehindOneAddressCannotBeToldApart() {
    for (int look = 0; look < 10; look++) {
      let = look % 2 == 0 ? 100_000 : 3;
      pass(100, 0);
    }
    assertThat(others.present()).isFalse();
    assertThat(others.word()).isEqualTo("several servers");
  }

  /// Looks that meet the same one, which gets a third of our requests.
  @Test
  void aServerThatGetsPartOfOurRequestsIsOneOfSeveral() {
    pass(0, 0);
    pass(200, -133);
    assertThat(others.word()).isEqualTo("several servers");
    assertThat(others.present()).isFalse();
  }

  @Test
  void aServerThatStartedAnewIsKnownAgainAfterAWhile() {
    pass(0, 0);
    pass(200, 0);
    let = 3;
    pass(0, 0);
    for (int look = 0; look < 20; look++) {
      assertThat(others.word()).isEqualTo("several servers");
      pass(200, 40);
    }
    assertThat(others.present()).isTrue();
    assertThat(others.word()).isEqualTo("yes");
  }
}
