package io.keyward.cli;

import io.keyward.cli.output.Document;
import io.keyward.cli.plugin.PluginRun;
import java.nio.file.Path;

/// Where the program starts.
public final class Main {
  private Main() {}

  public static void main(String[] args) throws InterruptedException {
    // How plugins start in production. Reading two words needs no command line library, and the
    // JVM cannot keep that library in its AOT cache: it would cost every start a third of a second.
    if (args.length == 3 && args[0].equals("plugin") && args[1].equals("--config")) {
      runPlugin(Path.of(args[2]));
    } else if (args.length == 1 && (args[0].equals("version") || args[0].equals("--version"))) {
      print(Version.current().table(), args);
    } else if (args.length == 3 && args[0].equals("version") && args[1].equals("-o")) {
      printVersion(args);
    } else {
      Keyward.main(args);
    }
  }

  private static void printVersion(String[] args) {
    switch (args[2]) {
      case "json" -> print(Document.json(Version.current().document()), args);
      case "yaml" -> print(Document.yaml(Version.current().document()), args);
      default -> Keyward.main(args);
    }
  }

  private static void print(String text, String[] args) {
    System.out.print(text);
    // Also says whether it could be written; the long way explains why not.
    if (System.out.checkError()) {
      Keyward.main(args);
    }
  }

  private static void runPlugin(Path config) throws InterruptedException {
    try {
      PluginRun.from(config);
    } catch (CommandFailure e) {
      System.err.println(e.explanation());
      System.exit(ExitCode.FAILED);
    }
  }
}
