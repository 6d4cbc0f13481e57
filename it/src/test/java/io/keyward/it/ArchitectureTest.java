package io.keyward.it;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import io.keyward.core.model.key.DataValue;
import io.keyward.core.model.key.KeyMaterial;
import io.keyward.kms.spi.Secret;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// The direction of dependencies. See docs/architecture.md.
final class ArchitectureTest {
  private static final String[] GENERATED = {"io.keyward.kms.proto..", "io.keyward.etcd.proto.."};

  private static final JavaClasses CODE =
      new ClassFileImporter()
          .withImportOption(new DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.keyward");

  @Test
  void theDatabaseReaderDependsOnTheJdkAlone() {
    classes()
        .that()
        .resideInAPackage("io.keyward.etcd..")
        .and()
        .resideOutsideOfPackages("io.keyward.etcd.live..", "io.keyward.etcd.proto..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("io.keyward.etcd..", "java..", "org.jspecify..")
        .check(CODE);
  }

  @Test
  void theSpiDependsOnTheJdkAlone() {
    classes()
        .that()
        .resideInAPackage("io.keyward.kms.spi..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("io.keyward.kms.spi..", "java..", "org.jspecify..")
        .check(CODE);
  }

  @Test
  void grpcStaysWithThoseWhoSpeakIt() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "io.keyward.kms.plugin..",
            "io.keyward.kms.client..",
            "io.keyward.etcd.live..",
            GENERATED[0],
            GENERATED[1])
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.grpc..", "io.netty..", "com.google.protobuf..")
        .check(CODE);
  }

  @Test
  void commandLinesStayInTheCli() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.keyward.cli..", "io.keyward.dev..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("picocli..")
        .check(CODE);
  }

  @Test
  void nothingShippedDependsOnTheTestbedOrTheTestkit() {
    String[] notShipped = {
      "io.keyward.testbed..",
      "io.keyward.testkit..",
      "io.keyward.dev..",
      "io.keyward.kms.fakes..",
      "io.keyward.kms.tck.."
    };
    noClasses()
        .that()
        .resideOutsideOfPackages(notShipped)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(notShipped)
        .check(CODE);
  }

  @Test
  void kubernetesClientsStayAtTheirEdge() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.keyward.kube..", "io.keyward.node..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.fabric8..", "io.javaoperatorsdk..")
        .check(CODE);
  }

  @Test
  void theEngineKnowsTheCoreAlone() {
    classes()
        .that()
        .resideInAPackage("io.keyward.engine..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("io.keyward.engine..", "io.keyward.core..", "java..", "org.jspecify..")
        .check(CODE);
  }

  /// A command parses options, calls a program and prints. Programs live in their own modules.
  @Test
  void theCommandLineRunsNoProgramItself() {
    noClasses()
        .that()
        .resideInAPackage("io.keyward.cli..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.keyward.engine..",
            "io.keyward.core.turn..",
            "io.keyward.kube.install..",
            "io.keyward.kube.leader..",
            "io.keyward.kube.migrate..",
            "io.keyward.kube.revision..",
            "io.fabric8..",
            "io.prometheus..",
            "io.micrometer..")
        .check(CODE);
  }

  @Test
  void metricsStayWithThePrograms() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "io.keyward.serve..",
            "io.keyward.operator..",
            "io.keyward.node.program..",
            "io.keyward.kms.plugin..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.prometheus..", "io.micrometer..")
        .check(CODE);
  }

  /// Nothing but a command line starts the operator, so that other modules can give it sites.
  @Test
  void theOperatorIsOnTop() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.keyward.core..",
            "io.keyward.codec..",
            "io.keyward.engine..",
            "io.keyward.kube..",
            "io.keyward.node..",
            "io.keyward.serve..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.keyward.operator..", "io.keyward.cli..")
        .check(CODE);
  }

  @Test
  void providersKnowTheSpiAndNotEachOther() {
    classes()
        .that()
        .resideInAPackage("io.keyward.kms.local..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.keyward.kms.local..",
            "io.keyward.kms.spi..",
            "java..",
            "javax.crypto..",
            "org.jspecify..")
        .check(CODE);
    classes()
        .that()
        .resideInAPackage("io.keyward.kms.vault..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.keyward.kms.vault..",
            "io.keyward.kms.remote..",
            "io.keyward.http..",
            "io.keyward.kms.spi..",
            "com.fasterxml.jackson.core..",
            "java..",
            "javax.net.ssl..",
            "org.jspecify..")
        .check(CODE);
    classes()
        .that()
        .resideInAPackage("io.keyward.kms.pkcs11..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.keyward.kms.pkcs11..",
            "io.keyward.kms.remote..",
            "io.keyward.kms.spi..",
            "java..",
            "javax.crypto..",
            "javax.security.auth..",
            "org.jspecify..")
        .check(CODE);
    noClasses()
        .that()
        .resideInAPackage("io.keyward.kms.plugin..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.keyward.kms.local..", "io.keyward.kms.pkcs11..", "io.keyward.kms.vault..")
        .because("providers are found at run time")
        .check(CODE);
  }

  @Test
  void httpKnowsNobody() {
    classes()
        .that()
        .resideInAPackage("io.keyward.http..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("io.keyward.http..", "java..", "javax.net.ssl..", "org.jspecify..")
        .check(CODE);
  }

  @Test
  void serveKnowsThePrometheusClientAlone() {
    classes()
        .that()
        .resideInAPackage("io.keyward.serve..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.keyward.serve..",
            "io.prometheus..",
            "java..",
            "javax.net.ssl..",
            "com.sun.net.httpserver..",
            "org.jspecify..")
        .check(CODE);
  }

  @Test
  void onlyThoseWhoNeedThemSeeKeyBytes() {
    noClasses()
        .that(
            resideInAPackage("io.keyward..")
                .and(
                    not(
                        resideInAnyPackage(
                            "io.keyward.kms.spi..",
                            "io.keyward.kms.aws..",
                            "io.keyward.kms.local..",
                            "io.keyward.kms.vault..",
                            "io.keyward.kms.pkcs11..",
                            "io.keyward.kms.remote..",
                            "io.keyward.kms.ibm..",
                            "io.keyward.kms.azure..",
                            "io.keyward.kms.gcp..",
                            "io.keyward.kms.plugin..",
                            "io.keyward.kms.client..",
                            "io.keyward.kms.tck..",
                            "io.keyward.storage.kms.."))))
        .should()
        .callMethod(Secret.class, "reveal")
        .check(CODE);
    noClasses()
        .that(resideOutsideOfPackages("io.keyward.codec.."))
        .should()
        .callMethod(KeyMaterial.class, "revealKey")
        .because("the codecs alone write keys into Secrets; decisions only compare them")
        .check(CODE);
    // In the simulated world a credential stands for what a KMS accepts. Another make of plugin
    // takes
    // its role id as an argument and in no other way; the secret id stays a file.
    noClasses()
        .that(
            resideOutsideOfPackages(
                "io.keyward.codec..", "io.keyward.kube..", "io.keyward.testkit.."))
        .and()
        .doNotHaveFullyQualifiedName("io.keyward.core.sidecar.VaultArguments")
        .should()
        .callMethod(DataValue.class, "reveal")
        .because("entries of Secrets hold credentials")
        .check(CODE);
  }

  @Test
  void topPackagesHaveNoCycles() {
    slices().matching("io.keyward.(*)..").should().beFreeOfCycles().check(CODE);
    slices()
        .matching("io.keyward.kms.plugin.(*)..")
        .should()
        .beFreeOfCycles()
        .ignoreDependency(resideInAPackage("io.keyward.kms.plugin"), alwaysTrue())
        .check(CODE);
  }

  @Test
  void nothingStaticIsMutable() {
    fields()
        .that()
        .areStatic()
        .and()
        .areDeclaredInClassesThat()
        .resideOutsideOfPackages(GENERATED)
        .should()
        .beFinal()
        .check(CODE);
  }

  @Test
  void noFutureInAPublicSignature() {
    methods()
        .that()
        .arePublic()
        .and()
        .areDeclaredInClassesThat()
        .resideOutsideOfPackages(GENERATED)
        .should()
        .notHaveRawReturnType(
            com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo(Future.class))
        .check(CODE);
  }
}
