package io.keyward.core.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.rollout.KnownRevisions.Claim;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KnownRevisionsTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                          | newest | revisions | written | claim     | verdict
          no revision                                     | 2      | 1:x 2:y   | y       | 0         | known
          the newest revision                             | 2      | 1:x 2:y   | y       | 2:y       | known
          an older revision                               | 2      | 1:x 2:y   | y       | 1:x       | known
          a later revision: etcd was restored             | 2      | 1:x 2:y   | y       | 4:z       | unknown 4
          the same number, another content                | 2      | 1:x 2:y   | y       | 2:z       | differs 2
          another content that another revision has       | 2      | 1:x 2:y   | y       | 2:x       | differs 2
          etcd was restored to before the first revision  | 0      | -         | -       | 1:x       | unknown 1
          the status was lost, the Secrets were not       | 0      | 1:x 2:y   | y       | 2:y       | known
          the Secret was deleted, the content is written  | 2      | 1:x       | y       | 2:y       | known
          the Secret was deleted, the content is gone     | 2      | 1:x       | x       | 2:y       | unknown 2
          no digest, a known number                       | 2      | 1:x 2:y   | y       | 2         | known
          no digest, a later number                       | 2      | 1:x 2:y   | y       | 3         | unknown 3
          no digest, the Secret was deleted               | 2      | 1:x       | y       | 2         | known
          no digest, the status was lost                  | 0      | 1:x 2:y   | y       | 2         | known
          """)
  void knows(
      String name, long newest, String revisions, String written, String claim, String verdict) {
    var digests = new TreeMap<Long, String>();
    if (!revisions.equals("-")) {
      for (String one : List.of(revisions.split(" ", -1))) {
        digests.put(Long.parseLong(one.substring(0, 1)), one.substring(2));
      }
    }
    var known =
        new KnownRevisions(
            newest, digests, written.equals("-") ? Optional.empty() : Optional.of(written));
    var claimed =
        new Claim(
            "node",
            "a",
            Long.parseLong(claim.substring(0, 1)),
            claim.length() == 1 ? Optional.empty() : Optional.of(claim.substring(2)));
    assertThat(
            known
                .unknown(claimed)
                .map(one -> (one.isNumberKnown() ? "differs " : "unknown ") + one.revision())
                .orElse("known"))
        .as(name)
        .isEqualTo(verdict);
  }
}
