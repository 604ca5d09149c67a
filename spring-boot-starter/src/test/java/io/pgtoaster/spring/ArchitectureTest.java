package io.pgtoaster.spring;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Packages for different libraries do not depend on each other, because each library may be absent.
 */
class ArchitectureTest {
  private static final String ROOT = "io.pgtoaster.spring";
  private static final List<String> USERS_OF_BOOT = List.of("actuate", "hibernate", "tus");
  private static final List<String> ALONE =
      List.of("data", "flyway", "liquibase", "resource", "test");

  private static final JavaClasses MODULE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void packages_importOnlyBoot() {
    LayeredArchitecture layers =
        layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("boot")
            .definedBy(ROOT + ".boot");
    for (List<String> names : List.of(USERS_OF_BOOT, ALONE)) {
      for (String name : names) {
        layers = layers.layer(name).definedBy(ROOT + "." + name);
        layers = layers.whereLayer(name).mayNotBeAccessedByAnyLayer();
      }
    }
    layers
        .whereLayer("boot")
        .mayOnlyBeAccessedByLayers(USERS_OF_BOOT.toArray(String[]::new))
        .check(MODULE);
  }

  @Test
  void packages_haveNoCycles() {
    slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(MODULE);
  }
}
