package io.keyward.kms.plugin.isolated;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.kms.spi.KmsProviderFactory;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/// Makes the jar of a provider with an "SDK" of its own: the class `vendor.Sdk`, which every such
/// provider brings in its own version. Its words travel in the message of the exception that each
/// call ends with.
final class ProviderJar {
  private ProviderJar() {}

  static void write(Path providers, String name) throws IOException {
    Path directory = Files.createDirectories(providers.resolve(name));
    Path classes = Files.createTempDirectory(providers.getParent(), "classes");
    List<JavaFileObject> sources =
        List.of(source("Sdk", sdk(name)), source("Factory", factory(name)));
    var options =
        List.of(
            "-d", classes.toString(), "-proc:none", "-cp", System.getProperty("java.class.path"));
    var compiler = ToolProvider.getSystemJavaCompiler();
    assertThat(compiler.getTask(null, null, null, options, null, sources).call()).isTrue();
    try (var jar = new JarOutputStream(Files.newOutputStream(directory.resolve("provider.jar")));
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        entry(jar, classes.relativize(file).toString(), Files.readAllBytes(file));
      }
      String service = "META-INF/services/" + KmsProviderFactory.class.getName();
      entry(jar, service, "vendor.Factory".getBytes(UTF_8));
    }
  }

  private static String sdk(String name) {
    return """
    package vendor;
    public final class Sdk {
      static { System.setProperty("keyward.test.loaded.%1$s", "yes"); }
      public static String words() {
        return "%1$s, with " + Thread.currentThread().getContextClassLoader().getName()
            + ", grpc " + sees("io.grpc.Server") + ", plugin " + sees("io.keyward.kms.plugin.Plugin");
      }
      private static boolean sees(String name) {
        try {
          Class.forName(name);
          return true;
        } catch (ClassNotFoundException e) {
          return false;
        }
      }
    }
    """
        .formatted(name);
  }

  private static String factory(String name) {
    return """
    package vendor;
    import io.keyward.kms.spi.*;
    import java.time.Duration;
    import java.util.List;
    public final class Factory implements KmsProviderFactory {
      public String name() { return "%1$s"; }
      public List<Setting> settings() {
        return List.of(Setting.optional("%1$sKey", Setting.Kind.TEXT, "any"));
      }
      public KmsProvider create(ProviderSettings settings) {
        return new KmsProvider() {
          public Wrapped wrap(Secret dek, Duration timeout) {
            throw new KmsException(KmsException.Kind.DENIED, Sdk.words());
          }
          public Secret unwrap(Wrapped wrapped, Duration timeout) {
            throw new KmsException(KmsException.Kind.DENIED, Sdk.words());
          }
          public boolean blocks() { return true; }
          public void close() {}
        };
      }
    }
    """
        .formatted(name);
  }

  private static void entry(JarOutputStream jar, String name, byte[] bytes) throws IOException {
    jar.putNextEntry(new JarEntry(name));
    jar.write(bytes);
    jar.closeEntry();
  }

  private static JavaFileObject source(String name, String text) {
    return new SimpleJavaFileObject(
        URI.create("string:///vendor/" + name + ".java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
  }

  /// Whether the "SDK" of the provider was initialized in this JVM.
  static boolean isLoaded(String name) {
    return Map.copyOf(System.getProperties()).containsKey("keyward.test.loaded." + name);
  }
}
