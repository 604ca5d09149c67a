package io.pgtoaster.it.hibernate.jsonb;

import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Setting;
import java.util.List;
import java.util.stream.Stream;

/**
 * A setting and a kind of column for the suites.
 *
 * @param setting server and executor
 * @param keyed whether the columns use the toaster keyed; otherwise default
 */
record Mapped(Setting setting, boolean keyed) {
  /**
   * Both toasters and executors on the newest server, transparent plain SQL with the extension, and
   * keyed on the oldest server.
   */
  static List<Mapped> all() {
    Stream<Mapped> newest =
        Stream.concat(
            Setting.newest().stream().map(s -> new Mapped(s, false)),
            Setting.newestByBoth().stream().map(s -> new Mapped(s, true)));
    Stream<Mapped> oldest =
        PostgresServers.edges().stream()
            .filter(v -> v != PostgresServers.newest())
            .map(v -> new Mapped(new Setting(v, true), true));
    Stream<Mapped> transparent =
        Setting.newestByBoth().stream()
            .filter(Setting::extension)
            .map(s -> new Mapped(s.withTransparency(), true));
    return Stream.of(newest, transparent, oldest).flatMap(s -> s).toList();
  }

  @Override
  public String toString() {
    return (keyed ? "keyed" : "default") + " on " + setting;
  }
}
