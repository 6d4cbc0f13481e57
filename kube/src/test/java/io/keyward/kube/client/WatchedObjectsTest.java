package io.keyward.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.keyward.codec.object.Labels;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

public final class WatchedObjectsTest {
  private static final String SECRETS = "/api/v1/namespaces/keys/secrets";
  private static final String MAPS = "/api/v1/namespaces/keys/configmaps";
  private static final Labels OURS = Labels.of("of", "kube-apiserver");

  private final Reads objects =
      new WatchedObjects(
          List.of(
              new WatchedObjects.Watched(
                  SECRETS, "", OURS, () -> List.of(secret("a", "kube-apiserver"))),
              new WatchedObjects.Watched(MAPS, "", Labels.ANY, () -> List.of(secret("m", "x"))),
              new WatchedObjects.Watched("/apis/g/v1/things", "cluster", Labels.ANY, List::of)));

  private static GenericKubernetesResource secret(String name, String of) {
    return Serialization.unmarshal(
        """
        {"apiVersion":"v1","kind":"Secret","metadata":{"name":"%s","labels":{"of":"%s"}},
         "data":{"k":"dg=="},"number":7}
        """
            .formatted(name, of),
        GenericKubernetesResource.class);
  }

  @Test
  void nothingOfAnObjectIsLost() {
    var found = objects.get(SECRETS + "/a").orElseThrow();
    assertThat(found.at("/data/k").asText()).isEqualTo("dg==");
    assertThat(found.path("number").asInt()).isEqualTo(7);
    found.removeAll();
    assertThat(objects.get(SECRETS + "/a")).as("a copy for each look").isPresent();
  }

  @Test
  void anObjectThatAWatchWouldShowIsAbsent() {
    assertThat(objects.get(MAPS + "/other")).isEmpty();
    assertThat(objects.get("/apis/g/v1/things/cluster")).isEmpty();
  }

  @Test
  void anObjectThatNoWatchWouldShowIsUnknown() {
    assertThatThrownBy(() -> objects.get(SECRETS + "/unlabelled")).isInstanceOf(NotWatched.class);
    assertThatThrownBy(() -> objects.get("/apis/g/v1/things/x")).isInstanceOf(NotWatched.class);
    assertThatThrownBy(() -> objects.get("/version")).isInstanceOf(NotWatched.class);
  }

  @Test
  void aListNeedsAWatchOfAtLeastThat() {
    assertThat(objects.list(SECRETS, OURS)).hasSize(1);
    assertThat(objects.list(MAPS, OURS)).isEmpty();
    assertThat(objects.list(MAPS, Labels.exists("of"))).hasSize(1);
    var narrower = new Labels(new TreeMap<>(Map.of("of", "kube-apiserver", "more", "x")));
    assertThat(objects.list(SECRETS, narrower)).isEmpty();
    assertThatThrownBy(() -> objects.list(SECRETS, Labels.ANY)).isInstanceOf(NotWatched.class);
    assertThatThrownBy(() -> objects.list("/apis/g/v1/things", Labels.ANY))
        .isInstanceOf(NotWatched.class);
  }

  @Test
  void selectorsAreWrittenAsTheApiReadsThem() {
    assertThat(Labels.ANY.query()).isEmpty();
    assertThat(Labels.of("k.io/a", "b").query()).isEqualTo("?labelSelector=k.io%2Fa%3Db");
    assertThat(Labels.exists("k.io/a").query()).isEqualTo("?labelSelector=k.io%2Fa");
    assertThat(new Labels(new TreeMap<>(Map.of("a", "1", "b", "2"))).query())
        .isEqualTo("?labelSelector=a%3D1%2Cb%3D2");
  }
}
