package io.pgtoaster.it.hibernate.jsonb;

import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Setting;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where the suites run.
 *
 * @param setting server and executor
 * @param keyed whether the columns are attached to the toaster keyed; otherwise to default
 */
record Mapped(Setting setting, boolean keyed) {
  /**
   * Both toasters and both executors on the newest server, with the extension also where plain SQL
   * sees split documents as whole ones, and keyed on the oldest.
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
