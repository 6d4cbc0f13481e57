package io.keyward.kms.vault;

import io.keyward.kms.spi.SecretFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How a token is got. Credentials are read at every login, so that changed ones count.
sealed interface VaultLogin {
  /// The word for it in configuration files.
  String word();

  /// Files whose change ends the present session.
  List<Path> watched();

  /// Files that a login is made of: when they change, a refused one is worth another try.
  List<Path> credentials();

  /// A token that somebody else got and keeps fresh, for example Vault's agent.
  record TokenFile(SecretFile file) implements VaultLogin {
    @Override
    public String word() {
      return "token";
    }

    @Override
    public List<Path> watched() {
      return credentials();
    }

    @Override
    public List<Path> credentials() {
      return List.of(file.path());
    }
  }

  /// A login that Vault answers with a token.
  sealed interface Request extends VaultLogin {
    String mount();

    /// What is sent, with the credentials as they are in their files now.
    Map<String, String> body();

    default String path() {
      return "auth/" + mount() + "/login";
    }

    @Override
    default List<Path> watched() {
      return List.of();
    }
  }

  /// A role id, which is no secret, and a secret id.
  record AppRole(String mount, String roleId, SecretFile secretId) implements Request {
    @Override
    public String word() {
      return "approle";
    }

    @Override
    public List<Path> credentials() {
      return List.of(secretId.path());
    }

    @Override
    public Map<String, String> body() {
      return Map.of("role_id", roleId, "secret_id", secretId.read());
    }
  }

  /// A JSON web token. Vault's methods `jwt` and `kubernetes` are asked in the same way.
  record Jwt(String word, String mount, String role, SecretFile token) implements Request {
    @Override
    public List<Path> credentials() {
      return List.of(token.path());
    }

    @Override
    public Map<String, String> body() {
      return Map.of("role", role, "jwt", token.read());
    }
  }

  /// The certificate of the TLS connection itself, whose files are watched with the connection.
  record Certificate(String mount, Optional<String> role) implements Request {
    @Override
    public String word() {
      return "cert";
    }

    @Override
    public List<Path> credentials() {
      return List.of();
    }

    @Override
    public Map<String, String> body() {
      return role.map(name -> Map.of("name", name)).orElseGet(Map::of);
    }
  }
}
