package io.keyward.kms.plugin.config;

import io.keyward.serve.ListenAddress;
import io.keyward.serve.ListenNames;
import io.keyward.serve.ListenProblem;
import io.keyward.serve.ListenRequest;
import io.keyward.serve.ListenSettings;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/// Reads where health and metrics are served, and to whom.
final class ListenReader {
  static final Set<String> NAMES =
      Set.of("listen", "listenTlsCert", "listenTlsKey", "listenTokenFile", "listenInsecure");

  private ListenReader() {}

  static Optional<ListenSettings> read(YamlMap top) {
    Optional<String> address = top.text("listen");
    if (address.isPresent() && ListenAddress.parse(address.get()).isEmpty()) {
      top.wrong(
          "listen",
          "setting 'listen' must be host:port, for example 127.0.0.1:8085: " + address.get());
      return Optional.empty();
    }
    var request =
        new ListenRequest(
            address,
            file(top, "listenTlsCert"),
            file(top, "listenTlsKey"),
            file(top, "listenTokenFile"),
            top.flag("listenInsecure"));
    try {
      return request.check(ListenNames.FILE);
    } catch (ListenProblem e) {
      top.wrong("listen", e.problem());
      return Optional.empty();
    }
  }

  private static Optional<Path> file(YamlMap top, String name) {
    try {
      return top.text(name).map(Path::of);
    } catch (InvalidPathException e) {
      top.wrong(name, "setting '" + name + "' must be the path of a file");
      return Optional.empty();
    }
  }
}
