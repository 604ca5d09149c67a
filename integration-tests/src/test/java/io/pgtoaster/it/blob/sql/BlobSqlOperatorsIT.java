package io.pgtoaster.it.blob.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * SQL functions for blobs do not call another role's operators. The caller's search path has a
 * schema in which other roles may create objects. PostgreSQL prefers an operator from that schema
 * to its own operators if the operand types match better.
 */
class BlobSqlOperatorsIT {
  /** Creates a failing operator for each pair of types for which the server has none. */
  private static final String OPERATORS =
      """
      DO $do$
      DECLARE
        types CONSTANT text[] := '{smallint,integer,bigint,numeric,double precision,text,name,bytea,uuid,text[],timestamptz,bit}';
        o record;
      BEGIN
        FOR o IN SELECT op, l::regtype, r::regtype, row_number() OVER () AS n
                 FROM unnest('{+,-,*,/,=,<>,<,>,<=,>=,||,&,#}'::text[]) op, unnest(types) l, unnest(types) r
                 WHERE NOT EXISTS (SELECT FROM pg_operator p WHERE p.oprnamespace = 'pg_catalog'::regnamespace
                                   AND p.oprname = op AND p.oprleft = l::regtype AND p.oprright = r::regtype) LOOP
          EXECUTE format('CREATE FUNCTION theirs.f%s(%s, %s) RETURNS boolean LANGUAGE plpgsql AS '
                         '$$BEGIN RAISE EXCEPTION ''taken: %s %s %s''; END$$', o.n, o.l, o.r, o.l, o.op, o.r);
          EXECUTE format('CREATE OPERATOR theirs.%s (FUNCTION = theirs.f%s, LEFTARG = %s, RIGHTARG = %s)', o.op, o.n, o.l, o.r);
        END LOOP;
      END $do$\
      """;

  @ParameterizedTest
  @ValueSource(strings = {"{\"chunk_size\": 512}", "{\"chunk_size\": 512, \"crc32c\": true}"})
  void otherRolesOperators_onTheCallersPath_areNotUsed(String options) throws Exception {
    try (Fixture fx = new Fixture(Setting.newest().get(0), ColumnSpec.appendable(options))) {
      fx.run("CREATE SCHEMA theirs", OPERATORS, "INSERT INTO item (id) VALUES (1)");
      Connection caller = fx.connect();
      Sql.run(caller, "SET search_path = public, theirs");
      assertThat(call(caller, "append", "convert_to(repeat('a', 50), 'UTF8')"))
          .isEqualTo("(0,50,applied)");
      assertThat(call(caller, "append", "convert_to(repeat('b', 5000), 'UTF8'), 50"))
          .isEqualTo("(50,5000,applied)");
      // The routine for appends takes fewer than a million bytes.
      assertThat(call(caller, "append", "convert_to(repeat('c', 1000000), 'UTF8')"))
          .isEqualTo("(5050,1000000,applied)");
      String writer = ", NULL, '018f0000-0000-7000-8000-00000000000";
      assertThat(call(caller, "append", "'d'" + writer + "1', 1")).isEqualTo("(1005050,1,applied)");
      assertThat(call(caller, "append", "'d'" + writer + "1', 1"))
          .isEqualTo("(1005050,1,\"already applied\")");
      fx.run("UPDATE " + fx.table("head") + " SET tokens_since = '2020-01-01'");
      assertThat(call(caller, "append", "'d'" + writer + "2', 1")).isEqualTo("(1005051,1,applied)");
      assertThat(call(caller, "write", "100, convert_to(repeat('e', 3000), 'UTF8')"))
          .isEqualTo("true");
      assertThat(call(caller, "write", "1005000, convert_to(repeat('f', 600), 'UTF8')"))
          .isEqualTo("true");
      assertThat(call(caller, "length", null)).isEqualTo("1005600");
      assertThat(call(caller, "read", "3098, 4")).isEqualTo("\\x65656262");
      assertThat(call(caller, "read", "1004998, 1000")).isEqualTo("\\x6363" + "66".repeat(600));
      assertThat(call(caller, "truncate", "1005300")).isEqualTo("true");
      assertThat(call(caller, "truncate", "3099")).isEqualTo("true");
      assertThat(call(caller, "read", "3098, 4")).isEqualTo("\\x65");
      assertThat(call(caller, "seal", null)).isEqualTo("true");
    }
  }

  private static String call(Connection caller, String function, String arguments)
      throws SQLException {
    String sql =
        "SELECT pgtoaster.blob_%s('item', 'content', 1%s)::text"
            .formatted(function, arguments == null ? "" : ", " + arguments);
    return Sql.strings(caller, sql).get(0);
  }
}
