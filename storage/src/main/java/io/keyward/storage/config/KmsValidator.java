package io.keyward.storage.config;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// The rules for `kms` elements. Remembers names, since they must differ across the file.
final class KmsValidator {
  private final Problems problems;
  private final boolean reload;
  private final Set<String> names = new HashSet<>();

  KmsValidator(Problems problems, boolean reload) {
    this.problems = problems;
    this.reload = reload;
  }

  void validate(Raw.Kms kms, String path) {
    name(kms, path + ".name");
    if (!kms.timeout().map(Duration::isPositive).orElse(false)) {
      invalid(path + ".timeout", "timeout should be a positive value", "write for example 3s");
    }
    endpoint(kms.endpoint(), path + ".endpoint");
    cacheSize(kms, path + ".cachesize");
    if (!kms.apiVersion().equals("v1") && !kms.apiVersion().equals("v2")) {
      // kube-apiserver prints the word, not the value.
      invalid(
          path + ".apiVersion",
          "unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported",
          "write apiVersion: v2");
    }
    names.add(kms.name());
  }

  private void name(Raw.Kms kms, String path) {
    if (kms.name().isEmpty()) {
      problems.add(
          path,
          ConfigError.REQUIRED,
          "name is a mandatory field for a provider",
          "name the provider; values in etcd carry this name");
    }
    boolean v1 = kms.apiVersion().equals("v1");
    if (!v1 && kms.name().contains(":")) {
      invalid(
          path,
          "invalid KMS provider name " + kms.name() + ", must not contain ':'",
          "choose a name without a colon");
    }
    if ((!v1 || reload) && names.contains(kms.name())) {
      invalid(
          path,
          "duplicate KMS provider name " + kms.name() + ", names must be unique",
          "give each KMS provider a name of its own");
    }
  }

  private void endpoint(String endpoint, String path) {
    String remedy = "write for example unix:///var/run/kmsplugin/socket.sock";
    if (endpoint.isEmpty()) {
      invalid(path, "endpoint is a mandatory field for a kms", remedy);
      return;
    }
    GoUrl.Parsed url = GoUrl.parse(endpoint);
    url.error()
        .ifPresent(
            error -> invalid(path, "invalid endpoint for kms provider, error: " + error, remedy));
    url.scheme()
        .filter(scheme -> !scheme.equals("unix"))
        .ifPresent(scheme ->
            invalid(
                path,
                "unsupported scheme \"" + scheme + "\" for KMS provider, only unix is supported",
                remedy));
  }

  private void cacheSize(Raw.Kms kms, String path) {
    if (kms.apiVersion().equals("v2") && kms.cacheSize().isPresent()) {
      invalid(path, "cachesize is not supported in v2", "remove cachesize");
    }
    if (kms.apiVersion().equals("v1") && kms.cacheSize().equals(Optional.of(0))) {
      invalid(
          path,
          "cachesize should be a positive value, or negative to disable",
          "write -1 to switch the cache off");
    }
  }

  private void invalid(String path, String detail, String remedy) {
    problems.add(path, ConfigError.INVALID, detail, remedy);
  }
}
