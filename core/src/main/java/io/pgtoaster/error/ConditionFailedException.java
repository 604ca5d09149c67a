package io.pgtoaster.error;

import java.io.Serial;

/**
 * A conditional edit found a different value than it expects, or the parent of its path does not
 * exist. Repeating the same edits does not help: read the value again.
 */
public final class ConditionFailedException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /** The number of the edit. */
  private final int edit;

  /**
   * Creates an exception.
   *
   * @param edit the number of the edit, from 1
   */
  public ConditionFailedException(int edit) {
    super(
        ("edit %d is conditional, and the value is not the expected one, or has no parent; read it"
                + " again and create new edits")
            .formatted(edit),
        "55000",
        null);
    this.edit = edit;
  }

  /** Returns the number of the edit among the edits of its document, from 1. */
  public int edit() {
    return edit;
  }
}
