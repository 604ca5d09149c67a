package io.pgtoaster.benchmarks.contender.blob;

import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.server.Kind;
import java.sql.Connection;
import java.sql.SQLException;

/** Large objects whose numbers the application knows, through the driver or through SQL. */
final class LargeObjects extends BlobContender {
  private final String name;

  LargeObjects(String name) throws SQLException {
    super(Kind.PLAIN);
    this.name = name;
  }

  @Override
  void add(int first, int last) throws SQLException {
    database()
        .number("SELECT count(lo_create(i)) FROM generate_series(" + first + ", " + last + ") i");
  }

  @Override
  public BlobSession session() throws SQLException {
    Connection connection = database().connect();
    return name.equals(Names.LARGE_OBJECT)
        ? new LargeObjectDriver(connection)
        : new LargeObjectSql(connection, name.equals(Names.LARGE_OBJECT_LOCKED));
  }
}
