package io.keyward.kube.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.codec.object.ObjectMeta;
import java.util.Optional;

/// Whether an object still has to be re-encrypted after the API server answered its PATCH with 404
/// or 409. Both mean that it is gone or that another client wrote it; but a webhook, a quota or a
/// missing namespace answers the same, and then it is still stored under the old key.
public final class RefusedRewrite {
  private RefusedRewrite() {}

  /// Empty where nothing is left to do.
  ///
  /// @param listed the object as it was listed when the migration came to this object
  /// @param now the object as the API server has it now; absent where the object is gone
  /// @param status of the answer
  static Optional<String> problem(JsonNode listed, Optional<JsonNode> now, int status) {
    boolean isUnchanged =
        now.filter(one ->
                ObjectMeta.uid(listed).equals(ObjectMeta.uid(one))
                    && ObjectMeta.version(listed).equals(ObjectMeta.version(one)))
            .isPresent();
    return isUnchanged
        ? Optional.of(
            "cannot be re-encrypted: the API server answers the update with "
                + status
                + ", and the object is unchanged; "
                + (status == 404
                    ? "create its namespace again if it is missing, let admission webhooks accept"
                        + " the update, or delete the object"
                    : "let admission webhooks accept the update, or delete the object"))
        : Optional.empty();
  }

  /// The end of the message about an update that was refused for good.
  ///
  /// @param body of the answer, of which nothing is repeated: it may quote the object
  static String remedy(int status, String body) {
    if (status == 500) {
      return "; keyward audit tells whether its key is gone";
    }
    return body.contains("ValidatingAdmissionPolicy '" + MigratorAccount.NAME + "'")
        ? "; an admission webhook changes the object, and the policy "
            + MigratorAccount.NAME
            + " allows no change: exclude the account "
            + MigratorAccount.NAME
            + " from the webhook, or update the object once with another client"
        : "";
  }
}
