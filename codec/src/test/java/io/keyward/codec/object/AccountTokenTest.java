package io.keyward.codec.object;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public final class AccountTokenTest {
  private static JsonNode json(String text) throws IOException {
    return new ObjectMapper().readTree(text);
  }

  @Test
  void theServerSaysHowLongATokenIsValid() throws IOException {
    assertThat(AccountToken.request(Duration.ofHours(1)).at("/spec/expirationSeconds").asInt())
        .isEqualTo(3600);
    AccountToken token =
        AccountToken.read(
                json("{\"spec\":{\"expirationSeconds\":600},\"status\":{\"token\":\"hush\"}}"))
            .orElseThrow();
    assertThat(token.lifetime()).isEqualTo(Duration.ofMinutes(10));
    assertThat(token.toString()).doesNotContain("hush");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"spec\":{\"expirationSeconds\":600},\"status\":{\"token\":\"\"}}",
        "{\"status\":{\"token\":\"x\"}}"
      })
  void aResponseWithoutATokenIsNone(String text) throws IOException {
    assertThat(AccountToken.read(json(text))).isEmpty();
  }
}
