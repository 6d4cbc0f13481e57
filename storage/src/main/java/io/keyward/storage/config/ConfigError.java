package io.keyward.storage.config;

/// One thing kube-apiserver would refuse. `type` and `detail` of the validate stage are its words.
public record ConfigError(String field, String type, String detail, String remedy, int line) {
  static final String REQUIRED = "FieldValueRequired";
  static final String INVALID = "FieldValueInvalid";
  static final String DECODE = "DecodeError";
  static final String BUILD = "BuildError";
}
