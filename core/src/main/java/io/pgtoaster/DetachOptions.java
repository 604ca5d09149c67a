package io.pgtoaster;

/** Options of {@link Catalog#detach}. Immutable. */
public final class DetachOptions {
  private static final DetachOptions DEFAULTS = new DetachOptions(false);

  private final boolean dropContent;

  private DetachOptions(boolean dropContent) {
    this.dropContent = dropContent;
  }

  /** Returns options that keep all content. */
  public static DetachOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these options with content dropped or kept.
   *
   * @param on true to delete content that rows still reference; false to throw an exception if
   *     there is any
   */
  public DetachOptions withDropContent(boolean on) {
    return new DetachOptions(on);
  }

  /**
   * Returns whether content that rows still reference is deleted. If not, such content makes the
   * call fail.
   */
  public boolean dropContent() {
    return dropContent;
  }
}
