package io.pgtoaster.hibernate.query;

/**
 * Kinds of access to a path: the operators of plain jsonb, and the function that also reads members
 * out of line.
 */
enum Access {
  TEXT("->>", "#>>", "pgtoaster.get_text"),
  JSON("->", "#>", "pgtoaster.get");

  private final String member;
  private final String path;
  private final String function;

  Access(String member, String path, String function) {
    this.member = member;
    this.path = path;
    this.function = function;
  }

  /** Returns the operator before the last member of a path. */
  String member() {
    return member;
  }

  /** Returns the operator before an array of steps. */
  String path() {
    return path;
  }

  String function() {
    return function;
  }
}
