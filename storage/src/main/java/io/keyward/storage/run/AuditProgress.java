package io.keyward.storage.run;

/// How far an audit has come.
public interface AuditProgress {
  /// For callers that only want the report.
  AuditProgress NONE =
      new AuditProgress() {
        @Override
        public void begin(long total) {}

        @Override
        public void beginBytes(long total) {}

        @Override
        public void step() {}

        @Override
        public void reach(long done) {}
      };

  /// Values are counted; `total` is 0 where it is unknown.
  void begin(long total);

  /// Bytes are counted.
  void beginBytes(long total);

  /// One more.
  void step();

  /// `done` of the total.
  void reach(long done);
}
