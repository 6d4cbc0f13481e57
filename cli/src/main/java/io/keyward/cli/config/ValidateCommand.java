package io.keyward.cli.config;

import io.keyward.cli.ExitCode;
import io.keyward.cli.keys.DecryptionKeyOptions;
import io.keyward.cli.output.FormatOption;
import io.keyward.storage.config.ConfigLoader;
import io.keyward.storage.config.ConfigVerdict;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "validate",
    header = "Accept and reject exactly what kube-apiserver 1.36 does.",
    mixinStandardHelpOptions = true,
    description = "Warns about configurations that are accepted but unwise.",
    footer = {
      "",
      "Exit codes: 0 all files are accepted (warnings or not), 1 a file is refused,",
      "2 a file cannot be read or is larger than 32 MiB.",
      "",
      "Examples:",
      "  keyward config validate /etc/kubernetes/encryption.yaml",
      "  keyward config validate --feature-gates KMSv1=true -o json *.yaml"
    })
public final class ValidateCommand implements Callable<Integer> {
  @Parameters(arity = "1..*", paramLabel = "FILE", description = "EncryptionConfigurations")
  private List<Path> files = List.of();

  @Option(
      names = "--reload",
      description = "judge as with --encryption-provider-config-automatic-reload")
  private boolean reload;

  @Option(
      names = "--feature-gates",
      split = ",",
      paramLabel = "GATE=BOOL",
      description = "feature gates of the API server; KMSv1 matters here")
  private Map<String, Boolean> gates = new LinkedHashMap<>();

  @Mixin private FormatOption output = new FormatOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    for (String gate : gates.keySet()) {
      if (!gate.equals("KMSv1")) {
        throw new ParameterException(
            spec.commandLine(), "this feature gate does not change configurations: " + gate);
      }
    }
    var loader = new ConfigLoader(reload, gates.getOrDefault("KMSv1", false));
    var verdicts = new LinkedHashMap<Path, ConfigVerdict>();
    files.forEach(file -> verdicts.put(file, loader.load(DecryptionKeyOptions.readConfig(file))));
    output.print(
        spec.commandLine().getOut(),
        () -> VerdictWriter.text(verdicts),
        () -> VerdictWriter.document(verdicts));
    return verdicts.values().stream().allMatch(ConfigVerdict.Accepted.class::isInstance)
        ? ExitCode.FINE
        : ExitCode.FINDINGS;
  }
}
