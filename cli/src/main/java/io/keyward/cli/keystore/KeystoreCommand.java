package io.keyward.cli.keystore;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.cli.CommandFailure;
import io.keyward.cli.ExitCode;
import io.keyward.cli.output.Document;
import io.keyward.cli.output.FormatOption;
import io.keyward.cli.output.Table;
import io.keyward.kms.local.KeyName;
import io.keyward.kms.local.KeyStoreFile;
import io.keyward.kms.local.KeyStoreProblem;
import io.keyward.kms.local.Password;
import io.keyward.kms.local.PasswordProblem;
import java.nio.file.Path;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Makes and rotates the keys of the local provider.
@Command(
    name = "keystore",
    header = "Create and rotate the keys of the provider 'local'.",
    mixinStandardHelpOptions = true,
    description = {
      "Makes and rotates the keys of the provider 'local'.",
      "This is not a KMS: who can read the key store and its password can read everything."
    },
    footer = {
      "",
      "Examples:",
      "  keyward keystore create --keystore keys.p12 --password-file password --key payments",
      "  keyward keystore rotate --keystore keys.p12 --password-file password --key payments",
      "  keyward keystore list --keystore keys.p12 --password-file password -o json",
      "",
      "A running plugin sees a rotation by itself. Back the file up: without it, data is lost."
    })
public final class KeystoreCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "say which: create, rotate or list");
  }

  /// Which file, and how it is opened.
  static final class Store {
    @Option(
        names = "--keystore",
        required = true,
        paramLabel = "FILE",
        description = "The PKCS#12 file.")
    private Path file = Path.of("");

    @Option(
        names = "--password-file",
        required = true,
        paramLabel = "FILE",
        description = "A file whose first line is the password.")
    private Path passwordFile = Path.of("");

    <T> T with(java.util.function.Function<KeyStoreFile, T> use) {
      return explained(() -> use.apply(new KeyStoreFile(file, Password.read(passwordFile))));
    }
  }

  /// Which key in it.
  static final class Key {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--key", paramLabel = "NAME", description = "The key (default: default).")
    private String name = "default";

    KeyName name() {
      try {
        return new KeyName(name);
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
      }
    }
  }

  @Command(
      name = "create",
      header = "Create a key store, or add a key to one.",
      mixinStandardHelpOptions = true,
      description = "Makes the first version of a key, and the key store if there is none.")
  int create(@Mixin Store store, @Mixin Key key) {
    KeyName name = key.name();
    store.with(file -> {
      file.create(name);
      return true;
    });
    say("made version 1 of key " + name.value());
    return ExitCode.FINE;
  }

  @Command(
      name = "rotate",
      header = "Add a version to a key.",
      mixinStandardHelpOptions = true,
      description = {
        "New data is wrapped with the new version. Earlier versions stay, because stored data may",
        "still depend on them."
      })
  int rotate(@Mixin Store store, @Mixin Key key) {
    KeyName name = key.name();
    int version = store.with(file -> file.rotate(name));
    say("made version " + version + " of key " + name.value());
    return ExitCode.FINE;
  }

  @Command(
      name = "list",
      header = "List keys, versions and key_ids.",
      mixinStandardHelpOptions = true,
      description = "Never prints a key.")
  int list(@Mixin Store store, @Mixin FormatOption output) {
    var listed = store.with(KeyStoreFile::list);
    output.print(
        spec.commandLine().getOut(),
        () -> {
          var table = new Table("KEY", "VERSION", "KEY ID");
          listed.forEach(e -> table.row(e.key().value(), e.version(), e.keyId()));
          return table.toString();
        },
        () -> {
          ObjectNode document = Document.of("KeyStoreKeys");
          ArrayNode keys = document.putArray("keys");
          listed.forEach(e ->
              keys.addObject()
                  .put("key", e.key().value())
                  .put("version", e.version())
                  .put("keyId", e.keyId()));
          return document;
        });
    return ExitCode.FINE;
  }

  private void say(String talk) {
    spec.commandLine().getErr().println(talk);
  }

  private static <T> T explained(Supplier<T> action) {
    try {
      return action.get();
    } catch (KeyStoreProblem e) {
      throw new CommandFailure(e.problem(), e.remedy(), e);
    } catch (PasswordProblem e) {
      throw new CommandFailure(e.problem(), "put the password on the first line of that file", e);
    }
  }
}
