package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.contender.Actor;
import io.pgtoaster.benchmarks.contender.DocumentSet;
import io.pgtoaster.benchmarks.contender.OrmContender;
import io.pgtoaster.benchmarks.server.Database;
import java.util.Map;

/**
 * Question 8. Operation: a transaction that loads an entity with a document, reads from it, and
 * commits. It either changes nothing, changes one small member, or appends an element to an array.
 */
final class Entities extends Trial {
  private final String change;
  private final int roles;
  private final OrmContender orm;
  private int turn;

  Entities(Cell cell) throws Exception {
    change = cell.get("change");
    roles = cell.number("roles");
    orm = OrmContender.open(cell.contender(), DocumentSet.actor(0, roles).text());
  }

  @Override
  public Database database() {
    return orm.orm().database();
  }

  @Override
  public boolean writes() {
    return !change.equals("nothing");
  }

  @Override
  public void begin() throws Exception {
    database().vacuum();
  }

  @Override
  public Operation operation(int thread) {
    return () -> {
      turn++;
      orm.inTransaction(this::change);
    };
  }

  private void change(Actor actor) {
    switch (change) {
      case "one member" -> actor.changeHeight(height());
      case "append" -> actor.addRole(Map.of("title", "Night " + turn, "year", 1999));
      default -> {}
    }
  }

  private String height() {
    return 150 + turn % 50 + " cm";
  }

  /** Checks that the changes are stored. */
  @Override
  public void check() throws Exception {
    if (change.equals("one member")) {
      Checks.equal("the height", height(), orm.read(Actor::height));
    }
    Checks.equal("roles", roles + (change.equals("append") ? turn : 0), orm.read(Actor::roles));
  }

  @Override
  public void close() throws Exception {
    try (orm) {
      check();
    }
  }
}
