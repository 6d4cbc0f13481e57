package io.keyward.serve;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// Presents the certificate that the files hold at the time of the handshake. Certificates are
/// replaced every few weeks or hours, and a restart for each would be a gap in the metrics.
///
/// The two files are not replaced in one step. While they do not belong together, the previous pair
/// is used.
final class ReloadingKeys extends X509ExtendedKeyManager {
  private static final Logger LOG = System.getLogger(ReloadingKeys.class.getName());

  /// What a file looked like when it was read.
  private record Stamp(long modified, long size, @Nullable Object identity) {
    static Stamp of(Path file) throws IOException {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      return new Stamp(found.lastModifiedTime().toMillis(), found.size(), found.fileKey());
    }
  }

  private record Stamps(@Nullable Stamp certificate, @Nullable Stamp key) {
    static Stamps of(TlsFiles files) {
      try {
        return new Stamps(Stamp.of(files.certificate()), Stamp.of(files.key()));
      } catch (IOException e) {
        return new Stamps(null, null);
      }
    }
  }

  private final TlsFiles files;
  private Stamps stamps;
  private ServerIdentity current;

  /// A handshake may have chosen it just before it was replaced.
  private ServerIdentity previous;

  private int generation;

  /// @throws ListenFailure if the files cannot be used
  ReloadingKeys(TlsFiles files) {
    this.files = files;
    stamps = Stamps.of(files);
    current = ServerIdentity.read(files, "0");
    previous = current;
  }

  private synchronized ServerIdentity reloaded() {
    Stamps now = Stamps.of(files);
    if (!now.equals(stamps)) {
      stamps = now;
      try {
        generation++;
        ServerIdentity next = ServerIdentity.read(files, Integer.toString(generation));
        previous = current;
        current = next;
        LOG.log(Level.INFO, "the certificate in {0} was replaced", files.certificate());
      } catch (ListenFailure e) {
        LOG.log(Level.WARNING, "{0}; the server keeps using the previous certificate", e.problem());
      }
    }
    return current;
  }

  private synchronized @Nullable ServerIdentity named(String alias) {
    if (alias.equals(current.alias())) {
      return current;
    }
    return alias.equals(previous.alias()) ? previous : null;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
    ServerIdentity identity = reloaded();
    return identity.key().getAlgorithm().equals(keyType) ? identity.alias() : null;
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    ServerIdentity identity = named(alias);
    return identity == null ? null : identity.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    ServerIdentity identity = named(alias);
    return identity == null ? null : identity.key();
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, Socket socket) {
    return null; // the server uses engines
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
    return null;
  }
}
