package io.keyward.kms.plugin.socket;

import io.keyward.kms.plugin.config.SocketAccess;
import io.keyward.kms.plugin.config.SocketReach;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// Users and groups of a socket, by name or number.
final class SocketOwner {
  private SocketOwner() {}

  static void apply(Path socket, SocketAccess access) throws IOException {
    if (access.owner().isEmpty()) {
      return;
    }
    String[] parts = access.owner().get().split(":", 2);
    var lookup = socket.getFileSystem().getUserPrincipalLookupService();
    var view = Files.getFileAttributeView(socket, PosixFileAttributeView.class);
    try {
      if (parts.length > 1 && !parts[1].isEmpty()) {
        view.setGroup(lookup.lookupPrincipalByGroupName(parts[1]));
      }
      if (!parts[0].isEmpty()) {
        view.setOwner(lookup.lookupPrincipalByName(parts[0]));
      }
    } catch (UserPrincipalNotFoundException e) {
      throw new SocketProblem(
          "no such user or group: " + access.owner().get(), "correct 'socketOwner'");
    }
  }

  /// Who may connect: those named, or else root and the user this process runs as. Empty where the
  /// pod is the border: then every user may.
  static Optional<Set<UserPrincipal>> peers(Path ownedByUs, SocketAccess access)
      throws IOException {
    if (access.reach() == SocketReach.POD) {
      return Optional.empty();
    }
    var lookup = ownedByUs.getFileSystem().getUserPrincipalLookupService();
    var peers = new HashSet<UserPrincipal>();
    try {
      for (String peer : access.peers()) {
        peers.add(lookup.lookupPrincipalByName(peer));
      }
      if (peers.isEmpty()) {
        peers.add(lookup.lookupPrincipalByName("0"));
        peers.add(Files.getOwner(ownedByUs));
      }
    } catch (UserPrincipalNotFoundException e) {
      throw new SocketProblem("no such user in " + access.peers(), "correct 'socketPeers'");
    }
    return Optional.of(peers);
  }
}
