package io.pgtoaster.spring.boot;

/** The application cannot start because of its data source or the catalog in it. */
final class UnsuitableDatabaseException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String action;

  UnsuitableDatabaseException(String description, String action) {
    super(description);
    this.action = action;
  }

  /** What to do about it. */
  String action() {
    return action;
  }
}
