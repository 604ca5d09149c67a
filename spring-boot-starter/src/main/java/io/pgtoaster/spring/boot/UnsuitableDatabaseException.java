package io.pgtoaster.spring.boot;

/** The application cannot start because of its data source or the catalog in the database. */
final class UnsuitableDatabaseException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String action;

  UnsuitableDatabaseException(String description, String action) {
    super(description);
    this.action = action;
  }

  /** Returns what to do about the problem. */
  String action() {
    return action;
  }
}
