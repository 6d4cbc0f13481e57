package io.keyward.core;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ArchitectureTest {
  private static final JavaClasses CORE =
      new ClassFileImporter().importPath(Path.of("target", "classes"));

  @Test
  void theCoreIsPure() {
    classes()
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                    "io.keyward.core..",
                    "java.lang",
                    "java.lang.annotation",
                    "java.lang.invoke",
                    "java.lang.runtime",
                    "java.nio.charset",
                    "java.util",
                    "java.util.function",
                    "java.util.stream",
                    "java.time",
                    "java.time..",
                    "org.jspecify..")
                // Compares bytes in constant time; nothing else of its package is needed.
                .or(type(MessageDigest.class)))
        .check(CORE);
    noClasses()
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Random.class)
        .check(CORE);
  }

  @Test
  void featuresMeetOnlyInTheModel() {
    slices()
        .matching("io.keyward.core.(*)..")
        .should()
        .notDependOnEachOther()
        .ignoreDependency(alwaysTrue(), resideInAPackage("io.keyward.core.model.."))
        .ignoreDependency(
            resideInAnyPackage(
                "io.keyward.core.act..",
                "io.keyward.core.condition..",
                "io.keyward.core.event..",
                "io.keyward.core.narrator..",
                "io.keyward.core.turn.."),
            alwaysTrue())
        // Whether a configuration may be rolled out depends on what would be written.
        .ignoreDependency(
            resideInAPackage("io.keyward.core.rollout.."),
            resideInAPackage("io.keyward.core.layout.."))
        .check(CORE);
  }

  @Test
  void decidersAreStatelessAndAnswerWithASealedDecision() {
    classes()
        .that()
        .haveSimpleNameEndingWith("Decider")
        .should()
        .haveModifier(JavaModifier.FINAL)
        .check(CORE);
    fields()
        .that()
        .areDeclaredInClassesThat()
        .haveSimpleNameEndingWith("Decider")
        .should()
        .beStatic()
        .andShould()
        .beFinal()
        .check(CORE);
    methods()
        .that()
        .haveName("decide")
        .should()
        .haveRawReturnType(
            describe(
                "a sealed decision",
                c -> c.reflect().isSealed() && c.getSimpleName().endsWith("Decision")))
        .check(CORE);
  }

  @Test
  void nothingStaticIsMutable() {
    fields().that().areStatic().should().beFinal().check(CORE);
  }
}
