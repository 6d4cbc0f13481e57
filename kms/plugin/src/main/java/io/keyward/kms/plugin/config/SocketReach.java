package io.keyward.kms.plugin.config;

/// What keeps strangers away from a socket.
public enum SocketReach {
  /// Its directory, its mode, and a check of the user of each peer.
  USERS,

  /// The pod. Its directory is an `emptyDir`, which only containers of the pod have mounted, and
  /// which the kubelet creates with mode 0777. The API server in it may run as root or as any other
  /// user, which the plugin does not know. Containers of one pod trust each other: any of them
  /// could replace the socket, and all of them belong to the API server, which has the data in
  /// plaintext.
  POD
}
