package io.keyward.kms.client;

/// What a preflight can find wrong. Each has its own words and its own remedy.
public enum PreflightProblem {
  NO_SUCH_FILE(
      "there is no file at this path",
      "start the plugin, or correct the path; in a pod, check that both mount the same directory"),
  PATH_TOO_LONG(
      "the path is too long for a unix socket",
      "use a path of at most 106 bytes, in the plugin and in the EncryptionConfiguration"),
  NOT_A_SOCKET(
      "there is a file at this path, but it is not a socket",
      "correct the path, or move the file away and start the plugin again"),
  NO_PERMISSION(
      "this user may not connect to the socket",
      "run this as the API server's user, or set socketMode, socketOwner and socketPeers of the plugin"),
  NOBODY_LISTENS(
      "the socket exists, but no process listens on it",
      "the plugin has died and left it behind; start the plugin, which replaces it"),
  NOT_KMS_V2(
      "the server at the socket does not speak KMS v2",
      "check that this is the KMS plugin's socket, and that the plugin knows KMS v2"),
  NO_ANSWER(
      "Status got no answer in time",
      "Status must answer from memory; look at the plugin's log and load"),
  UNHEALTHY(
      "the plugin responds, but reports that it is not healthy",
      "correct the cause that it reports: the KMS, the key or the credentials"),
  WRONG_VERSION(
      "the plugin reports another version of the protocol",
      "API servers want v2; update the plugin"),
  BAD_KEY_ID(
      "the plugin's key_id is empty or too long",
      "API servers refuse such a plugin; this is a defect of the plugin"),
  ENCRYPT_FAILED("Encrypt failed", "check the key and the permission to encrypt with it"),
  LIMITS_BROKEN(
      "the answer to Encrypt breaks a limit of KMS v2",
      "API servers would throw it away; this is a defect of the plugin"),
  KEY_ID_DIFFERS(
      "Status and Encrypt report different key_ids",
      "wait until a rotation has settled and try again; if it stays, this is a defect of the plugin"),
  DECRYPT_FAILED("Decrypt failed", "check the permission to decrypt with the key"),
  ROUND_TRIP_DIFFERS(
      "Decrypt returned other bytes than were encrypted",
      "do not use this plugin: data written with it would be lost"),
  SLOW(
      "it works, but a call took too long",
      "API servers give up after 3 s; look at the network to the KMS, or raise their timeout");

  private final String words;
  private final String remedy;

  PreflightProblem(String words, String remedy) {
    this.words = words;
    this.remedy = remedy;
  }

  public String words() {
    return words;
  }

  public String remedy() {
    return remedy;
  }
}
