package io.keyward.cli.cluster;

import io.keyward.cli.CommandFailure;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.operator.ConfigFailure;
import io.keyward.serve.ListenFailure;

/// A call that works on a cluster. Its failures end the command with a problem and a remedy.
///
/// @param <T> the result
@FunctionalInterface
public interface ClusterCall<T, E extends Exception> {
  /// The remedy where the cluster could not be used, or was not prepared for the operator.
  String INSTALL = "check the kubeconfig, and that keyward operator install was run";

  T call() throws E;

  /// Runs a call and turns its failures into those of a command.
  ///
  /// @param remedy what to check if the cluster cannot be used
  static <T, E extends Exception> T explained(String remedy, ClusterCall<T, E> call) throws E {
    try {
      return call.call();
    } catch (ClusterFailure e) {
      throw new CommandFailure(String.valueOf(e.getMessage()), remedy, e);
    } catch (ConfigFailure e) {
      throw new CommandFailure(e.problem(), e.remedy(), e);
    } catch (ListenFailure e) {
      throw new CommandFailure(e.problem(), e.remedy(), e);
    }
  }
}
