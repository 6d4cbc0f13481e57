package io.keyward.kms.ibm;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.kms.remote.Deadline;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.SecretFile;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Gets a token from IBM's IAM. The credential is read from its file every time.
///
/// @param profile the trusted profile to act as, with the token of a compute resource in the file;
///   without one the file holds an API key
record IamLogin(Http http, URI iam, SecretFile credential, Optional<String> profile) {
  private static final String IAM = "IBM's IAM";
  private static final Duration LONGEST = Duration.ofSeconds(10);

  Token run() {
    String secret = URLEncoder.encode(credential.read(), UTF_8);
    String form =
        profile
            .map(id ->
                "grant_type=urn:ibm:params:oauth:grant-type:cr-token&profile_id="
                    + URLEncoder.encode(id, UTF_8)
                    + "&cr_token="
                    + secret)
            .orElseGet(() -> "grant_type=urn:ibm:params:oauth:grant-type:apikey&apikey=" + secret);
    var request =
        HttpRequest.newBuilder(iam.resolve("/identity/token"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Accept", "application/json")
            .POST(BodyPublishers.ofString(form))
            .build();
    Http.Answer answer = http.send(IAM, request, Deadline.after(LONGEST));
    if (answer.status() == 400) {
      throw new KmsException(
          Kind.DENIED, "IBM's IAM does not accept the credentials", Http.details(answer));
    }
    if (answer.status() != 200) {
      throw Http.refused(IAM, answer);
    }
    String value = IbmJson.text(answer.body(), "access_token");
    String life = IbmJson.text(answer.body(), "expires_in");
    if (!value.matches("[\\x21-\\x7e]+") || !life.matches("[0-9]{1,9}")) {
      throw new KmsException(Kind.INTERNAL, "IBM's IAM gave no usable token");
    }
    return new Token(value, Instant.now(), Duration.ofSeconds(Long.parseLong(life)));
  }

  /// A secret with an end. Never printed.
  record Token(String value, Instant since, Duration life) {
    Instant until() {
      return since.plus(life);
    }

    boolean usable(Instant now) {
      return now.isBefore(since.plus(life.multipliedBy(9).dividedBy(10)));
    }

    boolean old(Instant now) {
      return now.isAfter(since.plus(life.dividedBy(2)));
    }

    @Override
    public String toString() {
      return "Token[hidden]";
    }
  }
}
