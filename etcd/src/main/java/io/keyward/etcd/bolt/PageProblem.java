package io.keyward.etcd.bolt;

/// Damage in one page. What hangs below it is lost; the rest of the file is still read.
public record PageProblem(long page, Kind kind) {
  /// What is wrong, in words for people.
  public enum Kind {
    BEYOND_END("a branch points to it, but it lies behind the end of the file"),
    WRONG_ID("it carries the number of another page"),
    WRONG_TYPE("it is neither a branch nor a leaf"),
    SEEN_TWICE("two branches point to it"),
    TOO_DEEP("the tree above it is deeper than any real one"),
    CUT_ELEMENT("an element reaches over its end"),
    BAD_BUCKET("a bucket in it is damaged"),
    BAD_RECORD("a revision in it is damaged"),
    GAP("its elements do not follow each other, so some may be missing"),
    BAD_META("this meta page is damaged; the other one may describe an older state"),
    TRUNCATED("the file ends before this page, which the database had"),
    ODD_LENGTH("the file ends inside a block; it was cut or extended");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }
}
