package io.pgtoaster.hibernate;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Holds the packages of the module to their order. */
class ArchitectureTest {
  private static final String DOOR = "io.pgtoaster.hibernate";

  private static final JavaClasses MODULE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(DOOR);

  @Test
  void packages_importOnlyThoseBelowThem() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("entry point")
        .definedBy(DOOR)
        .layer("schema")
        .definedBy(DOOR + ".schema")
        .layer("query")
        .definedBy(DOOR + ".query")
        .layer("blob")
        .definedBy(DOOR + ".blob")
        .layer("jsonb")
        .definedBy(DOOR + ".jsonb")
        .layer("internal")
        .definedBy(DOOR + ".internal")
        .whereLayer("entry point")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("schema")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("query")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("blob")
        .mayOnlyBeAccessedByLayers("entry point", "schema", "query")
        .whereLayer("jsonb")
        .mayOnlyBeAccessedByLayers("entry point", "schema", "query")
        .check(MODULE);
  }

  @Test
  void packages_haveNoCycles() {
    slices().matching("(**)").should().beFreeOfCycles().check(MODULE);
  }
}
