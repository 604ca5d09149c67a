package io.pgtoaster.hibernate.query;

/** What is asked for at a path: the operators of plain jsonb, and the function that sees all. */
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

  /** The operator behind the last but one member of a path. */
  String member() {
    return member;
  }

  /** The operator before an array of steps. */
  String path() {
    return path;
  }

  String function() {
    return function;
  }
}
