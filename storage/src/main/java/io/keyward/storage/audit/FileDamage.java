package io.keyward.storage.audit;

import io.keyward.etcd.snapshot.EtcdFile;
import io.keyward.etcd.snapshot.Trailer;
import io.keyward.storage.audit.Finding.Rule;
import java.util.ArrayList;
import java.util.List;

/// What is wrong with a snapshot or a `db` file itself, for every command that reads one.
public final class FileDamage {
  private static final List<String> NO_DIGEST =
      List.of("the file carries no digest, so damage inside a value cannot be detected");

  private FileDamage() {}

  /// Complete only after all of the file was walked.
  public static List<Finding> of(EtcdFile file, Trailer trailer) {
    var findings = new ArrayList<Finding>();
    if (trailer == Trailer.INVALID) {
      findings.add(new Finding(Rule.BAD_DIGEST, "", "the SHA-256 at its end does not match"));
    }
    file.problems()
        .forEach(problem ->
            findings.add(
                new Finding(
                    Rule.DAMAGED_PAGE,
                    "",
                    "page " + problem.page() + ": " + problem.kind().words())));
    return findings;
  }

  /// What no file of this kind shows; see [Coverage].
  public static List<String> limits(Trailer trailer) {
    return trailer == Trailer.ABSENT ? NO_DIGEST : List.of();
  }
}
