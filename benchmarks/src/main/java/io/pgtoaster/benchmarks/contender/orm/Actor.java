package io.pgtoaster.benchmarks.contender.orm;

import java.util.Map;

/** An entity with a document. */
public interface Actor {
  /** Reads small members of the document. */
  String read();

  String height();

  /** Returns the number of roles. */
  int roles();

  /** Changes a small member. */
  void changeHeight(String height);

  /** Adds an element to the long array. */
  void addRole(Map<String, Object> role);
}
