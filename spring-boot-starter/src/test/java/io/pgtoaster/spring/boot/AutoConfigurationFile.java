package io.pgtoaster.spring.boot;

import java.util.Arrays;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;

/** The auto-configurations of this module. */
public final class AutoConfigurationFile {
  private AutoConfigurationFile() {}

  public static Class<?>[] classes() {
    return ImportCandidates.load(AutoConfiguration.class, null).getCandidates().stream()
        .filter(name -> name.startsWith("io.pgtoaster."))
        .map(AutoConfigurationFile::load)
        .toArray(Class<?>[]::new);
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, AutoConfigurationFile.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(Arrays.toString(e.getStackTrace()), e);
    }
  }
}
