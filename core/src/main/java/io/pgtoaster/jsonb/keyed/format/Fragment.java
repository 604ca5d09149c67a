package io.pgtoaster.jsonb.keyed.format;

/**
 * A value in a leaf or in a stub, in its stored form.
 *
 * @param kind {@code o}, {@code a}, {@code s}, or {@code v} for other scalars
 * @param text its text, as PostgreSQL prints it
 * @param size bytes of the value inside a container, without its entry
 * @param kids branches that its markers name, in document order
 * @param marker whether it consists only of a marker
 */
public record Fragment(char kind, String text, long size, Ids kids, boolean marker) {
  public static Fragment scalar(String text, long size) {
    return new Fragment('v', text, size, Ids.NONE, false);
  }

  public static Fragment string(String text, long size) {
    return new Fragment('s', text, size, Ids.NONE, false);
  }

  public static Fragment marker(long branch) {
    return new Fragment('o', Markers.text(branch), SplitPolicy.MARKED, Ids.of(branch), true);
  }
}
