package io.pgtoaster.hibernate;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Checks which packages of the module import which. */
class ArchitectureTest {
  private static final String ROOT = "io.pgtoaster.hibernate";

  private static final JavaClasses MODULE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void packages_importOnlyThoseBelowThem() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("entry point")
        .definedBy(ROOT)
        .layer("schema")
        .definedBy(ROOT + ".schema")
        .layer("query")
        .definedBy(ROOT + ".query")
        .layer("blob")
        .definedBy(ROOT + ".blob")
        .layer("jsonb")
        .definedBy(ROOT + ".jsonb")
        .layer("event")
        .definedBy(ROOT + ".event")
        .layer("internal")
        .definedBy(ROOT + ".internal")
        .whereLayer("entry point")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("schema")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("query")
        .mayOnlyBeAccessedByLayers("entry point")
        .whereLayer("blob")
        .mayOnlyBeAccessedByLayers("entry point", "schema", "query")
        .whereLayer("event")
        .mayOnlyBeAccessedByLayers("entry point", "schema")
        .whereLayer("jsonb")
        .mayOnlyBeAccessedByLayers("entry point", "schema", "query")
        .check(MODULE);
  }

  @Test
  void packages_haveNoCycles() {
    slices().matching("(**)").should().beFreeOfCycles().check(MODULE);
  }
}
