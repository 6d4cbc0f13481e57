package io.keyward.cli.listen;

import io.keyward.serve.ListenNames;
import io.keyward.serve.ListenProblem;
import io.keyward.serve.ListenRequest;
import io.keyward.serve.ListenSettings;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// Where a command serves health and metrics, and to whom.
public final class ListenOptions {
  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description =
          "Serve /metrics, /livez, /readyz and /healthz on this address, for example"
              + " 127.0.0.1:8444 (default: not served).")
  private @Nullable String listen;

  @Option(
      names = "--listen-tls-cert",
      paramLabel = "FILE",
      description = "Serve HTTPS with this certificate chain (PEM). Read again when it changes.")
  private @Nullable Path certificate;

  @Option(
      names = "--listen-tls-key",
      paramLabel = "FILE",
      description = "The private key of the certificate (PEM, PKCS#8).")
  private @Nullable Path key;

  @Option(
      names = "--listen-token-file",
      paramLabel = "FILE",
      description =
          "Require one of the bearer tokens in this file for /metrics, one token per line. Read"
              + " again for every request.")
  private @Nullable Path tokenFile;

  @Option(
      names = "--listen-insecure",
      description = "Allow an address that other machines can reach without TLS or a token.")
  private boolean insecure;

  @Option(
      names = "--listen-health-only",
      description = "Serve no metrics, so that any address needs neither TLS nor a token.")
  private boolean healthOnly;

  /// Empty if nothing is to be served.
  ///
  /// @throws ParameterException if the options contradict each other or leave the server
  ///   unprotected
  public Optional<ListenSettings> settings(CommandLine command) {
    try {
      return new ListenRequest(
              Optional.ofNullable(listen),
              Optional.ofNullable(certificate),
              Optional.ofNullable(key),
              Optional.ofNullable(tokenFile),
              insecure,
              healthOnly)
          .check(ListenNames.FLAGS);
    } catch (ListenProblem e) {
      throw new ParameterException(command, e.problem(), e);
    }
  }
}
