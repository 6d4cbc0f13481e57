package io.keyward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ManPagesTest {
  private static final SortedMap<String, String> PAGES =
      new ManPages("2026-01-02", "1.2.3").of(Keyward.commandLine());

  @TempDir private Path directory;

  @Test
  void everyCommandHasAPage() {
    assertThat(PAGES)
        .containsKeys(
            "keyward", "keyward-audit", "keyward-operator-install", "keyward-keystore-list")
        .doesNotContainKey("keyward-help")
        .allSatisfy((name, page) ->
            assertThat(page)
                .as(name)
                .startsWith(".TH \"")
                .contains(".SH NAME\n" + name.replace("-", "\\-") + " \\- ")
                .contains(".SH SYNOPSIS\n")
                .doesNotContain("${", "@|"));
  }

  @Test
  void aPageHasOptionsExamplesAndExitCodes() {
    assertThat(PAGES.get("keyward-status"))
        .startsWith(".TH \"KEYWARD-STATUS\" \"1\" \"2026-01-02\" \"Keyward 1.2.3\" \"Keyward\"\n")
        .contains(".TP\n\\fB\\-\\-kubeconfig\\fR \\fIFILE\\fR\n")
        .contains(".TP\n\\fB\\-w\\fR, \\fB\\-\\-watch\\fR\n")
        .contains(".SH EXAMPLES\n.nf\n  keyward status \\-\\-kubeconfig admin.kubeconfig\n")
        .contains(".SH EXIT STATUS\n0 fine, 1 ")
        .endsWith(".SH SEE ALSO\nkeyward(1)\n");
    assertThat(PAGES.get("keyward"))
        .contains(".SH COMMANDS\n.TP\n\\fBkeyward\\-audit\\fR(1)\n")
        .doesNotContain("SEE ALSO");
  }

  /// A backslash at the end of an example is printed, not obeyed.
  @Test
  void examplesKeepTheirBackslashes() {
    assertThat(PAGES.get("keyward-recover")).contains("encryption.yaml \\e\n");
  }

  @Test
  void groffHasNothingToComplainAbout() throws IOException, InterruptedException {
    Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/groff")), "groff");
    for (var page : PAGES.entrySet()) {
      Path file = Files.writeString(directory.resolve(page.getKey()), page.getValue());
      Process groff =
          new ProcessBuilder("groff", "-man", "-Tutf8", "-ww", "-z", file.toString())
              .redirectErrorStream(true)
              .start();
      assertThat(groff.inputReader().readAllAsString()).as(page.getKey()).isEmpty();
      assertThat(groff.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }
  }
}
