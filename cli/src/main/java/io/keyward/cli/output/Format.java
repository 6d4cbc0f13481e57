package io.keyward.cli.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;

/// How a command prints its data: `-o table` for people, `-o json` for programs.
public enum Format {
  table,
  json;

  /// The same value in the same bytes, whoever prints it.
  public static String json(Object value) {
    try {
      return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(value)
          + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a plain value", e);
    }
  }
}
