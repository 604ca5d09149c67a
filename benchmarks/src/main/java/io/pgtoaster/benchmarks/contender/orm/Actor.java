package io.pgtoaster.benchmarks.contender.orm;

import java.util.Map;

/** An entity with a document. */
public interface Actor {
  /** Small members of the document. */
  String read();

  /** One of them. */
  String height();

  /** How many roles there are. */
  int roles();

  /** Changes a small member. */
  void changeHeight(String height);

  /** Adds an element to the long array. */
  void addRole(Map<String, Object> role);
}
