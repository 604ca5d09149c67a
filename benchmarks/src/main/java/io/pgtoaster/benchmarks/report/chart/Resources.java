package io.pgtoaster.benchmarks.report.chart;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Texts beside the classes of this package. */
public final class Resources {
  private Resources() {}

  /** Of a name in the folder of the report. */
  public static String text(String name) {
    String path = "/io/pgtoaster/benchmarks/report/" + name;
    try (@Nullable InputStream in = Resources.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IOException("no resource " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + name, e);
    }
  }
}
