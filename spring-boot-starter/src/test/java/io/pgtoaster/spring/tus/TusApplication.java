package io.pgtoaster.spring.tus;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** An application that accepts uploads into the table {@code file}. */
@EnableAutoConfiguration
class TusApplication {
  static ConfigurableApplicationContext run(String... properties) {
    String[] table = {"pgtoaster.tus.table=file", "pgtoaster.tus.column=content"};
    return run(
        TusApplication.class,
        Stream.of(table, properties).flatMap(Stream::of).toArray(String[]::new));
  }

  static ConfigurableApplicationContext run(Class<?> application, String... properties) {
    return new SpringApplicationBuilder(application)
        .properties("pgtoaster.tus.enabled=true")
        .properties(properties)
        .run();
  }

  static int port(ConfigurableApplicationContext application) {
    return Integer.parseInt(application.getEnvironment().getProperty("local.server.port", ""));
  }

  /** Prints its port, and its peak heap size when its standard input ends. */
  public static void main(String[] properties) throws Exception {
    try (ConfigurableApplicationContext application = run(properties)) {
      System.out.println("port " + port(application));
      System.in.transferTo(java.io.OutputStream.nullOutputStream());
      long peak =
          ManagementFactory.getMemoryPoolMXBeans().stream()
              .filter(pool -> pool.getType() == MemoryType.HEAP)
              .mapToLong(pool -> pool.getPeakUsage().getUsed())
              .sum();
      System.out.println("peak " + peak);
    }
  }
}
