package io.keyward.kube.install;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.keyward.codec.Wire;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.component.Component;
import io.keyward.kube.migrate.Migrator;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/// Makes what a cluster lacks: definitions, namespaces, the object that the admin edits, and what
/// operator and node agents may do. What is there already is left as it is, but for the rights.
public final class Installer {
  private static final List<String> DEFINITIONS =
      List.of(
          "config.openshift.io_apiservers",
          "operator.openshift.io_kubeapiservers",
          "operator.openshift.io_openshiftapiservers",
          "operator.openshift.io_authentications");
  private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String CONFIG = "/apis/config.openshift.io/v1/apiservers";

  private final Api api;

  public Installer(Api api) {
    this.api = api;
  }

  /// What was made, in words.
  public List<String> install(List<Component> components, Migrator.Kind migrator) {
    var made = new ArrayList<String>();
    for (String name : DEFINITIONS) {
      ObjectNode crd = definition(name);
      ensure(CRDS, crd, made);
    }
    ensure("/api/v1/namespaces", namespace(Wire.MANAGED_NAMESPACE), made);
    ensure("/api/v1/namespaces", namespace("openshift-config"), made);
    for (Component component : components) {
      ensure("/api/v1/namespaces", namespace(component.namespace()), made);
    }
    waitFor(CONFIG);
    ObjectNode cluster = Api.JSON.createObjectNode();
    cluster.put("apiVersion", "config.openshift.io/v1").put("kind", "APIServer");
    cluster.putObject("metadata").put("name", "cluster");
    cluster.putObject("spec");
    ensure(CONFIG, cluster, made);
    for (Component component : components) {
      String path = component.operatorPath();
      String all = path.substring(0, path.lastIndexOf('/'));
      waitFor(all);
      ObjectNode operator = Api.JSON.createObjectNode();
      operator.put("apiVersion", "operator.openshift.io/v1").put("kind", component.kind());
      operator.putObject("metadata").put("name", "cluster");
      operator.putObject("spec");
      ensure(all, operator, made);
    }
    for (ObjectNode right : Rights.of(components, migrator)) {
      allow(right, made);
    }
    return List.copyOf(made);
  }

  /// Rights follow the release and the configuration, so what stands there is brought up to date.
  private void allow(ObjectNode right, List<String> made) {
    boolean isNew = api.get(Rights.path(right)).isEmpty();
    api.apply(Rights.path(right), "keyward-install", right);
    if (isNew) {
      made.add(ObjectMeta.kind(right) + " " + ObjectMeta.name(right));
    }
  }

  private void ensure(String path, ObjectNode wanted, List<String> made) {
    String name = ObjectMeta.name(wanted);
    if (api.get(path + "/" + name).isEmpty()) {
      api.create(path, wanted);
      made.add(ObjectMeta.kind(wanted) + " " + name);
    }
  }

  private static ObjectNode namespace(String name) {
    ObjectNode json = Api.JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Namespace");
    json.putObject("metadata").put("name", name);
    return json;
  }

  private static ObjectNode definition(String name) {
    try (InputStream text = Installer.class.getResourceAsStream("crds/" + name + ".yaml")) {
      if (text == null) {
        throw new IllegalStateException("the distribution lacks " + name);
      }
      Object read = Serialization.unmarshal(text, Object.class);
      return Api.JSON.valueToTree(read);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void waitFor(String path) {
    for (int i = 0; i < 150 && api.get(path).isEmpty(); i++) {
      try {
        Thread.sleep(200);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ClusterFailure("interrupted", e);
      }
    }
  }
}
