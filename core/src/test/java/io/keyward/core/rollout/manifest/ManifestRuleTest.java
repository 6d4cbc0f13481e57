package io.keyward.core.rollout.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.rollout.ManifestNeed;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A flag is `ok` where it names the revision's file. Mounts are `container path=node path`, where
/// `R` stands for the path of the revision's files. A need with `!` is for somebody else. Sockets
/// are those of the configuration.
final class ManifestRuleTest {
  private static final String RESOURCES = "/etc/kubernetes/static-pod-resources";

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                          | flag | label | mounts                | sockets       | needs
          a manifest without encryption   | -    | no    | -                     | -             | Flag Label Resources
          all there                       | ok   | yes   | R=/r/x-REVISION       | -             | -
          a flag for another file         | /x   | yes   | R=/r/x-REVISION       | -             | Flag
          files of no revision            | ok   | yes   | R=/r/x-1              | -             | Resources
          an empty directory for files    | ok   | yes   | R=                    | -             | Resources
          a socket out of sight           | ok   | yes   | R=/r/x-REVISION       | /run/kms/a    | /run/kms
          two of one directory            | ok   | yes   | R=/r/x-REVISION       | /run/a /run/b | /run
          in sight                        | ok   | yes   | R=/r/x-REVISION /k=/k | /k/a          | -
          below what is in sight          | ok   | yes   | R=/r/x-REVISION /k=/k | /k/deep/a     | -
          a name that only begins alike   | ok   | yes   | R=/r/x-REVISION /k=/k | /kk/a         | /kk
          no label                        | ok   | no    | R=/r/x-REVISION       | -             | Label
          a slash more                    | ok   | yes   | R=/r/x-REVISION /k/=/k/ | /k/a        | -
          all of the node                 | ok   | yes   | R=/r/x-REVISION /=/   | /k/a          | -
          an empty directory instead      | ok   | yes   | R=/r/x-REVISION /k=   | /k/a          | !/k
          another path instead            | ok   | yes   | R=/r/x-REVISION /k=/o | /k/a          | !/k
          an empty directory above it     | ok   | yes   | R=/r/x-REVISION /k=   | /k/deep/a     | /k/deep
          another path above it           | ok   | yes   | R=/r/x-REVISION /k=/o | /k/deep/a     | /k/deep
          hidden by what is deeper        | ok   | yes   | R=/r/x-REVISION /k=/k /k/d= | /k/d/a  | !/k/d
          in sight again                  | ok   | yes   | R=/r/x-REVISION /k= /k/d=/k/d | /k/d/a | -
          by its other name               | ok   | yes   | R=/r/x-REVISION /var/run/k=/run/k | /var/run/k/a | -
          """)
  void saysWhatAManifestLacks(
      String name, String flag, String label, String mounts, String sockets, String needs) {
    var seen = new TreeMap<String, String>();
    for (String mount : words(mounts)) {
      int border = mount.indexOf('=');
      seen.put(mount.substring(0, border).replace("R", RESOURCES), mount.substring(border + 1));
    }
    var pod =
        new PodManifest(
            switch (flag) {
              case "-" -> Optional.empty();
              case "ok" -> Optional.of(RESOURCES + "/secrets/encryption-config/encryption-config");
              default -> Optional.of(flag);
            },
            seen,
            label.equals("yes"));
    assertThat(names(ManifestRule.needs(pod, words(sockets)))).as(name).isEqualTo(words(needs));
  }

  /// Mounts are `container path=node path`, where `K` stands for the directory of the configuration
  /// on a node of kubeadm.
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                        | flag | mounts    | sockets    | needs
          as kubeadm wrote it           | -    | -         | -          | Flag Resources
          complete                      | ok   | K=K       | -          | -
          a flag for another file       | /x   | K=K       | -          | Flag
          no volume                     | ok   | -         | -          | Resources
          another directory of the node | ok   | K=/o      | -          | Resources
          an empty directory            | ok   | K=        | -          | Resources
          a socket out of sight         | ok   | K=K       | /run/kms/a | /run/kms
          in sight                      | ok   | K=K /k=/k | /k/a       | -
          another path instead          | ok   | K=K /k=/o | /k/a       | !/k
          """)
  void findsWhatAManifestOfKubeadmLacks(
      String name, String flag, String mounts, String sockets, String needs) {
    ConfigPlace place = ConfigPlace.KUBEADM;
    var seen = new TreeMap<String, String>();
    for (String mount : words(mounts)) {
      String[] sides = mount.replace("K", place.directory()).split("=", -1);
      seen.put(sides[0], sides[1]);
    }
    Optional<String> file =
        switch (flag) {
          case "-" -> Optional.empty();
          case "ok" -> Optional.of(place.file());
          default -> Optional.of(flag);
        };
    assertThat(names(ManifestRule.kubeadmNeeds(new PodManifest(file, seen, false), words(sockets))))
        .as(name)
        .isEqualTo(words(needs));
  }

  /// A node without a revision has no file yet.
  @ParameterizedTest
  @CsvSource({"-,0", "0,0", "0 1,0", "1 1,2", "3,2"})
  void kubeadmIsToldWhenEveryNodeHasAFile(String revisions, int needs) {
    assertThat(
            ManifestRule.kubeadmConfigNeeds(
                new PodManifest(Optional.empty(), new TreeMap<>(), true),
                List.of(),
                words(revisions).stream().map(Long::valueOf).toList()))
        .hasSize(needs);
  }

  private static List<String> names(List<ManifestNeed> needs) {
    return needs.stream()
        .map(need ->
            switch (need) {
              case ManifestNeed.Sockets(var directory) -> directory;
              case ManifestNeed.Obstacle(var directory, _) -> "!" + directory;
              case ManifestNeed.Flag _,
                  ManifestNeed.Label _,
                  ManifestNeed.Resources _,
                  ManifestNeed.Plugins _ ->
                  need.getClass().getSimpleName();
            })
        .toList();
  }

  private static List<String> words(String text) {
    return text.equals("-") ? List.of() : List.of(text.split(" ", -1));
  }
}
