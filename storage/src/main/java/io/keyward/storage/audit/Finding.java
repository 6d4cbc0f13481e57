package io.keyward.storage.audit;

import java.util.Locale;

/// One thing an auditor must know. `key` is an etcd key, or empty where it is about the whole file.
public record Finding(Rule rule, String key, String detail) {
  /// The laws. Their words are part of the output; scripts rely on them.
  public enum Rule {
    PLAINTEXT("plaintext", Severity.ERROR, "stored in plaintext"),
    MALFORMED("malformed", Severity.ERROR, "no API server can read it"),
    UNDECRYPTABLE("undecryptable", Severity.ERROR, "the given configuration cannot read it"),
    STALE("stale", Severity.WARNING, "an older key or form protects it; migrate it"),
    UNEXPECTED_KEY("unexpected-key", Severity.ERROR, "not under the expected key"),
    KEY_IN_USE("key-in-use", Severity.ERROR, "the key is still needed"),
    KEK_IN_USE("kek-in-use", Severity.ERROR, "the KEK is still needed"),
    KEY_UNKNOWABLE("key-unknowable", Severity.ERROR, "values of KMS v1 do not name their KEK"),
    PLAINTEXT_IN_HISTORY(
        "plaintext-in-history", Severity.WARNING, "old plaintext versions stay until compaction"),
    PLAINTEXT_IN_FREE_PAGES(
        "plaintext-in-free-pages",
        Severity.WARNING,
        "old plaintext stays in the file until defragmentation"),
    PLAINTEXT_IN_LOG(
        "plaintext-in-log",
        Severity.WARNING,
        "old plaintext stays in the write-ahead log until etcd drops the segment"),
    ABSENT_RESOURCE(
        "absent-resource",
        Severity.WARNING,
        "no object of this resource was seen; check the spelling or pass --allow-absent"),
    BAD_DIGEST("bad-digest", Severity.ERROR, "the file is not what etcd wrote"),
    DAMAGED_PAGE("damaged-page", Severity.ERROR, "part of the file cannot be read"),
    DAMAGED_LOG("damaged-log", Severity.WARNING, "part of the write-ahead log cannot be read"),
    UNSEEN("part-unseen", Severity.ERROR, "part of the source may not have been seen");

    private final String word;
    private final Severity severity;
    private final String words;

    Rule(String word, Severity severity, String words) {
      this.word = word;
      this.severity = severity;
      this.words = words;
    }

    public String word() {
      return word;
    }

    public Severity severity() {
      return severity;
    }

    public String words() {
      return words;
    }

    /// Whether it means that the audit did not see all of the source. No question is then answered
    /// with yes.
    public boolean limitsCoverage() {
      return switch (this) {
        case BAD_DIGEST, DAMAGED_PAGE, DAMAGED_LOG, UNSEEN -> true;
        case PLAINTEXT,
            MALFORMED,
            UNDECRYPTABLE,
            STALE,
            UNEXPECTED_KEY,
            KEY_IN_USE,
            KEK_IN_USE,
            KEY_UNKNOWABLE,
            PLAINTEXT_IN_HISTORY,
            PLAINTEXT_IN_FREE_PAGES,
            PLAINTEXT_IN_LOG,
            ABSENT_RESOURCE ->
            false;
      };
    }
  }

  /// How bad it is. Both make the audit fail.
  public enum Severity {
    ERROR,
    WARNING;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
