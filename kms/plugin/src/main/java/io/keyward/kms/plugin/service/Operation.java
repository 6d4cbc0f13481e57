package io.keyward.kms.plugin.service;

/// What an API server may ask for. The names are metric labels.
public enum Operation {
  STATUS("status"),
  ENCRYPT("encrypt"),
  DECRYPT("decrypt");

  private final String label;

  Operation(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
