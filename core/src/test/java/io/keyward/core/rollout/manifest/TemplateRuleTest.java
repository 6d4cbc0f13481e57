package io.keyward.core.rollout.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The flag, the Secret at the place of the configuration, a directory of the node, the label.
final class TemplateRuleTest {
  private static final String FILE = PodTemplate.CONFIG_FILE;

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                        | flag   | secret              | directory          | label | needs
          nothing of it                 |        |                     |                    |       | Flag Label Resources Sockets
          all of it                     | ours   | encryption-config-3 | /run/kms           | 3     |
          the directory above will do   | ours   | encryption-config-3 | /run               | 3     |
          another directory will not    | ours   | encryption-config-3 | /run/kms2          | 3     | Sockets
          another file                  | /x     | encryption-config-3 | /run/kms           | 3     | Flag
          the revision before           | ours   | encryption-config-2 | /run/kms           | 2     | Label Resources
          only the label is new         | ours   | encryption-config-2 | /run/kms           | 3     | Resources
          only the Secret is new        | ours   | encryption-config-3 | /run/kms           | 2     | Label
          """)
  void saysWhatATemplateLacks(
      String name, String flag, String secret, String directory, String label, String needs) {
    assertThat(
            TemplateRule.needs(
                    template(flag, secret, directory, label),
                    3,
                    "encryption-config-3",
                    List.of("/run/kms/a.sock"))
                .stream()
                .map(need -> need.getClass().getSimpleName())
                .collect(Collectors.joining(" ")))
        .as(name)
        .isEqualTo(needs == null ? "" : needs);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                    | flag | secret              | label | runs
          no encryption             |      |                     |       | ``
          a revision                | ours | encryption-config-3 | 3     | 3
          nobody starts it with it  |      | encryption-config-3 | 3     | label '3' without the flag
          another file              | /x   | encryption-config-3 | 3     | label '3' without the flag
          a label that is not true  | ours | encryption-config-2 | 3     | label '3' with secret 'encryption-config-2'
          a label and no Secret     | ours |                     | 3     | label '3' with secret ''
          a Secret and no label     | ours | encryption-config-3 |       | label '' with secret 'encryption-config-3'
          """,
      quoteCharacter = '`')
  void aLabelCountsOnlyWithItsSecretAndTheFlag(
      String name, String flag, String secret, String label, String runs) {
    assertThat(TemplateRule.runs(template(flag, secret, "/x", label), "encryption-config-"))
        .as(name)
        .isEqualTo(runs);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                          | flag          | label | existing
          no flag                         |               |       | no
          a file of somebody else         | /etc/enc.yaml |       | yes
          the flag of a revision          | ours          | 3     | no
          a template that was changed     | /etc/enc.yaml | 3     | no
          a revision that lost its label  | ours          |       | no
          """)
  void aFlagBeforeTheFirstRevisionIsAnExistingConfiguration(
      String name, String flag, String label, String existing) {
    assertThat(
            TemplateRule.existing(
                    Optional.ofNullable(flag).map(text -> text.equals("ours") ? FILE : text),
                    label == null ? "" : label)
                .isPresent())
        .as(name)
        .isEqualTo(existing.equals("yes"));
  }

  private static PodTemplate template(String flag, String secret, String directory, String label) {
    return new PodTemplate(
        Optional.ofNullable(flag).map(text -> text.equals("ours") ? FILE : text),
        new TreeMap<>(secret == null ? Map.of() : Map.of(PodTemplate.CONFIG_DIRECTORY, secret)),
        new TreeMap<>(directory == null ? Map.of() : Map.of(directory, directory)),
        label == null ? "" : label);
  }
}
