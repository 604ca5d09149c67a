package io.pgtoaster;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.PackageMatcher;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks which packages of core import which, and compares its public types with a list. */
class ArchitectureTest {
  private static final String ROOT = "io.pgtoaster";
  private static final String BLOB = "io.pgtoaster.blob..";
  private static final String JSONB = "io.pgtoaster.jsonb..";
  private static final String COLUMN = "io.pgtoaster.column..";
  private static final String INTERNAL = "io.pgtoaster.internal";
  private static final String SPI = "io.pgtoaster.spi..";
  private static final String ERROR = "io.pgtoaster.error..";

  private static final String[] ABOVE_COLUMNS = {"entry point", "blob", "jsonb"};

  /** Packages of the API and the SPI. */
  private static final Set<String> SEEN =
      Set.of(
          ROOT,
          "io.pgtoaster.blob",
          "io.pgtoaster.jsonb",
          "io.pgtoaster.column",
          "io.pgtoaster.error",
          "io.pgtoaster.spi");

  /** Packages that belong to one toaster. */
  private static final PackageMatcher ROOMS =
      PackageMatcher.of("io.pgtoaster.[blob.appendable|jsonb.keyed].*..");

  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void packages_importOnlyThoseBelowThem() {
    check(
        layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .withOptionalLayers(true)
            .layer("entry point")
            .definedBy(ROOT)
            .layer("blob")
            .definedBy(BLOB)
            .layer("jsonb")
            .definedBy(JSONB)
            .layer("columns")
            .definedBy(INTERNAL + ".column..")
            .layer("spi")
            .definedBy(SPI)
            .layer("internal")
            .definedBy(INTERNAL)
            .layer("values")
            .definedBy(COLUMN)
            .layer("json")
            .definedBy(INTERNAL + ".json..")
            .layer("sql")
            .definedBy(INTERNAL + ".sql..")
            .layer("error")
            .definedBy(ERROR)
            .layer("hook")
            .definedBy(INTERNAL + ".hook..")
            .whereLayer("entry point")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("blob")
            .mayOnlyBeAccessedByLayers("entry point")
            .whereLayer("jsonb")
            .mayOnlyBeAccessedByLayers("entry point")
            .whereLayer("columns")
            .mayOnlyBeAccessedByLayers(ABOVE_COLUMNS)
            .whereLayer("spi")
            .mayOnlyBeAccessedByLayers(and(ABOVE_COLUMNS, "columns"))
            .whereLayer("internal")
            .mayOnlyBeAccessedByLayers(and(ABOVE_COLUMNS, "columns", "spi"))
            .whereLayer("values")
            .mayOnlyBeAccessedByLayers(and(ABOVE_COLUMNS, "columns", "spi", "internal"))
            .whereLayer("json")
            .mayOnlyBeAccessedByLayers(and(ABOVE_COLUMNS, "columns", "spi", "internal", "values"))
            .ensureAllClassesAreContainedInArchitecture());
  }

  private static String[] and(String[] layers, String... more) {
    return Stream.concat(Stream.of(layers), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void packages_haveNoCycles() {
    check(slices().matching("(**)").should().beFreeOfCycles());
  }

  @Test
  void features_neverImportTheEntryPoint() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(ROOT)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ROOT));
  }

  @ParameterizedTest
  @ValueSource(strings = {"io.pgtoaster.blob.appendable", "io.pgtoaster.jsonb.keyed"})
  void subpackagesOfAToaster_areUsedOnlyByIt(String toaster) {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(toaster + "..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(toaster + ".*.."));
  }

  /** Types for users, and for toasters in other jars, may refer only to each other. */
  @Test
  void apiAndSpi_referToNoOtherTypes() {
    Set<String> found = new TreeSet<>();
    for (JavaClass type : CORE) {
      if (isSeen(type)) {
        type.getAllRawSuperclasses().forEach(t -> refuse(found, type.getName(), t));
        type.getRawInterfaces().forEach(t -> refuse(found, type.getName(), t));
        for (JavaCodeUnit call : type.getCodeUnits()) {
          if (isPublic(call.getModifiers())) {
            refuse(found, call.getFullName(), call.getRawReturnType());
            call.getRawParameterTypes().forEach(t -> refuse(found, call.getFullName(), t));
          }
        }
      }
    }
    assertThat(found).isEmpty();
  }

  private static void refuse(Set<String> found, String place, JavaClass type) {
    if (type.getPackageName().startsWith(ROOT) && !isSeen(type)) {
      found.add(place + " refers to " + type.getName());
    }
  }

  /**
   * Returns whether a type and its enclosing types are public and in a package of the API or SPI.
   */
  private static boolean isSeen(JavaClass type) {
    return SEEN.contains(type.getPackageName()) && isPublicWithItsOwners(type);
  }

  private static boolean isPublicWithItsOwners(JavaClass type) {
    return isPublic(type.getModifiers())
        && type.getEnclosingClass().map(ArchitectureTest::isPublicWithItsOwners).orElse(true);
  }

  private static boolean isPublic(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC);
  }

  @Test
  void core_printsNothing() {
    check(NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS);
  }

  @Test
  void publicTypes_matchTheList() throws IOException {
    List<String> listed = listedTypes();
    Set<String> found = new TreeSet<>();
    for (JavaClass type : CORE) {
      if (!ROOMS.matches(type.getPackageName())
          && isPublicWithItsOwners(type)
          && !type.getSimpleName().equals("package-info")) {
        found.add(type.getName());
      }
    }
    assertThat(listed).as("public-types.txt").isSorted().doesNotHaveDuplicates();
    assertThat(minus(found, listed)).as("public, but not in public-types.txt").isEmpty();
    assertThat(minus(listed, found)).as("in public-types.txt, but not public").isEmpty();
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(CORE);
  }

  private static List<String> listedTypes() throws IOException {
    try (InputStream in = ArchitectureTest.class.getResourceAsStream("/public-types.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  private static Set<String> minus(Iterable<String> left, Iterable<String> right) {
    Set<String> rest = new TreeSet<>();
    left.forEach(rest::add);
    right.forEach(rest::remove);
    return rest;
  }
}
