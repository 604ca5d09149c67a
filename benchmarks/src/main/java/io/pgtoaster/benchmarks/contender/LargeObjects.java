package io.pgtoaster.benchmarks.contender;

import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Kind;
import java.sql.Connection;
import java.sql.SQLException;

/** Large objects, whose numbers the application knows: by the driver, or in statements of SQL. */
final class LargeObjects implements BlobContender {
  private final Database database;
  private final String name;
  private int values;

  LargeObjects(String name) throws SQLException {
    this.database = Database.create(Kind.PLAIN);
    this.name = name;
  }

  @Override
  public Database database() {
    return database;
  }

  @Override
  public int add(int more) throws SQLException {
    int first = values + 1;
    values += more;
    database.number(
        "SELECT count(lo_create(i)) FROM generate_series(" + first + ", " + values + ") i");
    return first;
  }

  @Override
  public BlobSession session() throws SQLException {
    Connection connection = database.connect();
    return name.equals(Names.LARGE_OBJECT)
        ? new LargeObjectDriver(connection)
        : new LargeObjectSql(connection, name.equals(Names.LARGE_OBJECT_LOCKED));
  }
}
