package io.pgtoaster.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.InvalidKeyException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.Query;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowKeysTest {
  private static final UUID ID = UUID.fromString("01234567-89ab-cdef-0123-456789abcdef");
  private static final KeyColumn NUMBER = new KeyColumn("id", "pg_catalog", "int8", "pg_catalog");
  private static final KeyColumn TEXT = new KeyColumn("code", "pg_catalog", "text", "pg_catalog");

  private final Map<Integer, Object> bound = new TreeMap<>();

  /** Records bound values. Values bound with {@link Types#OTHER} are in brackets. */
  private final PreparedStatement statement =
      proxy(
          PreparedStatement.class,
          (proxy, method, args) -> {
            if (method.getName().equals("getConnection")) {
              return arrays();
            }
            Object value = args[1];
            if (args.length == 3) {
              assertThat(args[2]).isEqualTo(Types.OTHER);
              value = "[" + value + "]";
            }
            assertThat(bound.put((Integer) args[0], value)).isNull();
            return null;
          });

  private static Connection arrays() {
    return proxy(
        Connection.class,
        (proxy, method, args) -> {
          assertThat(args[0]).isEqualTo("text");
          String text = Arrays.toString((Object[]) args[1]);
          return proxy(Array.class, (array, called, none) -> text);
        });
  }

  private static <T> T proxy(Class<T> type, java.lang.reflect.InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Test
  void key_isTheTextOfItsValues() {
    List<KeyColumn> two = List.of(new KeyColumn("id", "pg_catalog", "uuid", "pg_catalog"), TEXT);
    assertThat(RowKeys.of(7, List.of(NUMBER)).values()).containsExactly("7");
    assertThat(RowKeys.of(List.of(7), List.of(NUMBER)).values()).containsExactly("7");
    assertThat(RowKeys.of(List.of(ID, "x"), two).values()).containsExactly(ID.toString(), "x");
    assertThat(RowKeys.of(new RowKey(List.of(ID.toString(), "x")), two).values())
        .containsExactly(ID.toString(), "x");
    KeyColumn bytes = new KeyColumn("hash", "pg_catalog", "bytea", "pg_catalog");
    assertThat(RowKeys.of(new byte[] {0, (byte) 0xfe}, List.of(bytes)).values())
        .containsExactly("\\x00fe");
  }

  @Test
  void keyOfAnotherLength_isRefused() {
    List<KeyColumn> two = List.of(NUMBER, new KeyColumn("at", "pg_catalog", "date", "pg_catalog"));
    assertThatExceptionOfType(InvalidKeyException.class)
        .isThrownBy(() -> RowKeys.of(7, two))
        .withMessage("the key has 1 values, but the row key is (id, at)");
    assertThatExceptionOfType(InvalidKeyException.class)
        .isThrownBy(() -> RowKeys.of(List.of(1, 2), List.of(NUMBER)))
        .withMessageContaining("2 values");
    assertThatExceptionOfType(InvalidKeyException.class)
        .isThrownBy(() -> RowKeys.of(List.of(1, 2, 3), two));
  }

  private static void assertState(@Nullable String state, String type, Object value) {
    List<KeyColumn> column = List.of(new KeyColumn("id", "pg_catalog", type, "pg_catalog"));
    if (state == null) {
      assertThat(RowKeys.of(value, column).values()).containsExactly(value.toString());
      return;
    }
    assertThatExceptionOfType(InvalidKeyException.class)
        .as("%s %s", type, value)
        .isThrownBy(() -> RowKeys.of(value, column))
        .withMessage(
            "the key column \"id\" has the type %s, but the given %s is not a value of that type",
            type, value.getClass().getName())
        .extracting(InvalidKeyException::sqlState)
        .isEqualTo(state);
  }

  @ParameterizedTest
  @CsvSource({"int2, 32767, -32768", "int4, 2147483647, -2147483648"})
  void shortIntegers_haveTheirRange(String type, int most, int least) {
    assertState(null, type, most);
    assertState(null, type, least);
    assertState("22003", type, most + 1L);
    assertState("22003", type, least - 1L);
  }

  @Test
  void texts_areCheckedAsFarAsTheirSyntaxAllows() {
    for (Object odd :
        new Object[] {Long.MAX_VALUE, Long.MIN_VALUE, " +1\t", "0x1F", "-0b1", "1_0"}) {
      assertState(null, "int8", odd);
    }
    assertState("22003", "int8", "9223372036854775808");
    assertState("22003", "int8", "-9223372036854775809");
    for (Object wrong :
        new Object[] {"", "a", "1.0", 2.5, "1e3", true, ID, "--1", "1 2", "\u0661"}) {
      assertState("22P02", "int8", wrong);
    }
    String id = ID.toString();
    for (Object odd : new Object[] {ID, "{" + id + "}", id.replace("-", "")}) {
      assertState(null, "uuid", odd);
    }
    for (Object wrong : new Object[] {7, "", id + "0", id.substring(1), " " + id, id + "-"}) {
      assertState("22P02", "uuid", wrong);
    }
    for (Object odd :
        new Object[] {1, -1.5, ".5", "5.", "1e-3", "NaN", "-Infinity", "0xFF", "1_0"}) {
      assertState(null, "numeric", odd);
    }
    for (Object wrong : new Object[] {"", "a", true, ID.toString().replace('0', 'a'), "1 2"}) {
      assertState("22P02", "numeric", wrong);
    }
    for (String type : new String[] {"text", "date", "bool"}) {
      assertState(null, type, "what the server reads or not");
    }
  }

  @Test
  void null_isRefused() {
    assertThatExceptionOfType(InvalidKeyException.class)
        .isThrownBy(() -> RowKeys.of(Arrays.asList("a", null), List.of(TEXT, NUMBER)))
        .withMessageContaining("\"id\" is null");
  }

  @Test
  void keyWithAZeroCharacter_isRefused() {
    assertThatExceptionOfType(RowNotFoundException.class)
        .isThrownBy(() -> RowKeys.of("\0", List.of(TEXT)));
    assertThatExceptionOfType(RowNotFoundException.class)
        .isThrownBy(() -> RowKeys.of(List.of(1, "ab\0"), List.of(NUMBER, TEXT)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud83d", "a\ude00", "\ud83dx", "\ude00\ud83d", "\ud83d\ud83d\ude00"})
  void halfOfASurrogatePair_isRefused(String key) {
    assertThatExceptionOfType(RowNotFoundException.class)
        .isThrownBy(() -> RowKeys.of(key, List.of(TEXT)))
        .withMessageContaining("an unpaired surrogate");
  }

  @Test
  void wholeSurrogatePairs_areKept() {
    assertThat(RowKeys.of("a\ud83d\ude00b", List.of(TEXT)).values())
        .containsExactly("a\ud83d\ude00b");
  }

  @Test
  void values_areBoundInSequence() throws SQLException {
    assertThat(Query.bind(statement, 3, new RowKey(List.of("a", "b")))).isEqualTo(5);
    assertThat(bound).isEqualTo(Map.of(3, "[a]", 4, "[b]"));
  }

  @Test
  void manyKeys_areBoundAsOneArrayPerColumn() throws SQLException {
    List<RowKey> keys = List.of(new RowKey(List.of("1", "a")), new RowKey(List.of("2", "b")));
    assertThat(Query.keys(keys).bind(statement, 2)).isEqualTo(4);
    assertThat(bound.keySet()).containsExactly(2, 3);
    assertThat(bound.get(2)).hasToString("[1, 2]");
    assertThat(bound.get(3)).hasToString("[a, b]");
  }

  private Object bound(String schema, String type, String value) throws SQLException {
    bound.clear();
    int next =
        RowKeys.bind(
            statement,
            6,
            new RowKey(List.of(value)),
            List.of(new KeyColumn("id", schema, type, schema)));
    assertThat(next).isEqualTo(7);
    assertThat(bound.keySet()).containsExactly(6);
    return bound.get(6);
  }

  @Test
  void values_areBoundWithTypesThatTheDriverKnows() throws SQLException {
    for (String type : new String[] {"int2", "int4", "int8"}) {
      assertThat(bound("pg_catalog", type, "-42")).isEqualTo(-42L);
      assertThat(bound("pg_catalog", type, "999999999999999999")).isEqualTo(999999999999999999L);
    }
    assertThat(bound("pg_catalog", "uuid", ID.toString())).isEqualTo(ID);
    assertThat(bound("pg_catalog", "text", "1")).isEqualTo("1");
    assertThat(bound("pg_catalog", "varchar", "1")).isEqualTo("1");
  }

  @Test
  void valuesOfSeveralColumns_areEachBoundWithTheirOwnType() throws SQLException {
    List<KeyColumn> columns = List.of(TEXT, NUMBER);
    assertThat(RowKeys.bind(statement, 4, new RowKey(List.of("a", "7")), columns)).isEqualTo(6);
    assertThat(bound).isEqualTo(Map.of(4, "a", 5, 7L));
  }

  @Test
  void otherForms_areLeftToTheServer() throws SQLException {
    for (String odd : new String[] {"", " 1", "1e3", "+1", "1234567890123456789", "1\n2"}) {
      assertThat(bound("pg_catalog", "int8", odd)).isEqualTo("[" + odd + "]");
    }
    assertThat(bound("pg_catalog", "uuid", "{" + ID + "}")).isEqualTo("[{" + ID + "}]");
    assertThat(bound("pg_catalog", "numeric", "1")).isEqualTo("[1]");
    assertThat(bound("public", "int8", "1")).isEqualTo("[1]");
    assertThat(bound("public", "text", "1")).isEqualTo("[1]");
    assertThat(bound("public", "uuid", ID.toString())).isEqualTo("[" + ID + "]");
  }

  @Test
  void namesAndTypes_areQuoted() {
    KeyColumn odd = new KeyColumn("a\"b", "my schema", "T", "pg_catalog");
    assertThat(odd.quoted()).isEqualTo("\"a\"\"b\"");
    assertThat(odd.parameter()).isEqualTo("CAST(? AS \"my schema\".\"T\")");
    assertThat(odd.cast("x")).isEqualTo("CAST(x AS \"my schema\".\"T\")");
  }
}
