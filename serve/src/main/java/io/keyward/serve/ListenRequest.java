package io.keyward.serve;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a user requested, before it is checked. Flags and files share the rules, not the names.
public record ListenRequest(
    Optional<String> listen,
    Optional<Path> certificate,
    Optional<Path> key,
    Optional<Path> tokenFile,
    boolean insecure,
    boolean healthOnly) {
  /// With metrics.
  public ListenRequest(
      Optional<String> listen,
      Optional<Path> certificate,
      Optional<Path> key,
      Optional<Path> tokenFile,
      boolean insecure) {
    this(listen, certificate, key, tokenFile, insecure, false);
  }

  /// Empty if nothing is to be served.
  ///
  /// @throws ListenProblem if the settings contradict each other or leave the server unprotected
  public Optional<ListenSettings> check(ListenNames names) {
    if (listen.isEmpty()) {
      if (certificate.isPresent()
          || key.isPresent()
          || tokenFile.isPresent()
          || insecure
          || healthOnly) {
        throw new ListenProblem(
            "TLS and token settings have no effect without "
                + names.address()
                + "; add it, or remove them");
      }
      return Optional.empty();
    }
    ListenAddress address =
        ListenAddress.parse(listen.get())
            .orElseThrow(
                () -> new ListenProblem(names.address() + " is HOST:PORT, as in 127.0.0.1:8444"));
    if (certificate.isPresent() != key.isPresent()) {
      throw new ListenProblem(
          names.certificate() + " and " + names.key() + " belong together; set both");
    }
    requireProtection(address, names);
    return Optional.of(
        new ListenSettings(
            address,
            certificate.map(file -> new TlsFiles(file, key.orElseThrow())),
            tokenFile,
            insecure,
            healthOnly));
  }

  private void requireProtection(ListenAddress address, ListenNames names) {
    var missing = new ArrayList<String>();
    if (certificate.isEmpty()) {
      missing.add(names.certificate());
      missing.add(names.key());
    }
    if (tokenFile.isEmpty()) {
      missing.add(names.token());
    }
    if (!insecure && !healthOnly && !address.isLoopback() && !missing.isEmpty()) {
      throw new ListenProblem(
          "other machines can reach "
              + address
              + ": set "
              + listed(missing)
              + "; or listen on 127.0.0.1; or accept the risk with "
              + names.insecure());
    }
  }

  private static String listed(List<String> names) {
    int last = names.size() - 1;
    return last == 0
        ? names.getFirst()
        : String.join(", ", names.subList(0, last)) + " and " + names.get(last);
  }
}
