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
   * Returns these options with or without deletion of content that rows still reference. Without
   * it, such content causes an exception.
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
