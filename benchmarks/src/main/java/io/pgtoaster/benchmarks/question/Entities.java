package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.contender.Actor;
import io.pgtoaster.benchmarks.contender.DocumentSet;
import io.pgtoaster.benchmarks.contender.Orm;
import java.util.Map;

/**
 * Question 8. Operation: a transaction that loads an entity with a document, reads from it, and
 * commits. It either changes nothing, changes one small member, or appends an element to an array.
 */
final class Entities extends Trial {
  private final String change;
  private final int roles;
  private final Orm orm;
  private int turn;

  Entities(Cell cell) throws Exception {
    this(cell, Orm.open(cell.contender(), DocumentSet.actor(0, cell.number("roles")).text()));
  }

  private Entities(Cell cell, Orm orm) {
    super(orm, orm.database(), !cell.get("change").equals("nothing"));
    this.change = cell.get("change");
    this.roles = cell.number("roles");
    this.orm = orm;
  }

  @Override
  void begin() throws Exception {
    orm.database().vacuum();
  }

  @Override
  Operation operation(int thread) {
    return () -> {
      turn++;
      orm.withActor(this::change);
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
  void check() throws Exception {
    if (change.equals("one member")) {
      equal("the height", height(), orm.read(Actor::height));
    }
    equal("roles", roles + (change.equals("append") ? turn : 0), orm.read(Actor::roles));
  }
}
