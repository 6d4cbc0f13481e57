package io.keyward.kms.plugin.config;

import java.util.List;
import java.util.Optional;

/// Who may use a socket: its mode, its owner and group, and the users whose processes may connect.
///
/// @param mode as in `chmod`, in octal digits
/// @param owner `user`, `user:group` or `:group`, by name or number; empty means the plugin's own
/// @param peers users who may connect, by name or number; empty means root and the plugin's own
///   user
/// @param reach whether users or the pod are the border
public record SocketAccess(
    String mode, Optional<String> owner, List<String> peers, SocketReach reach) {
  public static final SocketAccess OWNER_ONLY =
      new SocketAccess("0600", Optional.empty(), List.of());

  /// For a plugin in the pod of its API server, see [SocketReach#POD].
  public static final SocketAccess POD =
      new SocketAccess("0666", Optional.empty(), List.of(), SocketReach.POD);

  public SocketAccess {
    peers = List.copyOf(peers);
    switch (reach) {
      case USERS -> {
        if (!mode.matches("0?[0-7]{3}")) {
          throw new IllegalArgumentException("must be three octal digits, for example \"0660\"");
        }
        if (mode.charAt(mode.length() - 1) != '0') {
          throw new IllegalArgumentException("must not let everybody in, for example \"0660\"");
        }
      }
      case POD -> {
        if (!mode.equals("0666") || owner.isPresent() || !peers.isEmpty()) {
          throw new IllegalArgumentException("the socket of a pod has no users of its own");
        }
      }
    }
  }

  /// For certain users. Configuration files and flags can say no more than this.
  public SocketAccess(String mode, Optional<String> owner, List<String> peers) {
    this(mode, owner, peers, SocketReach.USERS);
  }
}
