package io.pgtoaster.jsonb.keyed.read;

import io.pgtoaster.column.JsonOrder;
import io.pgtoaster.column.JsonRange;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.column.SearchHit;
import io.pgtoaster.column.SearchMatches;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.column.MatchRows;
import io.pgtoaster.internal.column.SearchTexts;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.jsonb.keyed.store.KeyedStore;
import io.pgtoaster.spi.AttachedColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Finds documents of a store with the statements of {@code pgtoaster.search_statements}. */
public final class Searches {
  /**
   * A statement, with the number of the value for each of its parameters.
   *
   * @param sql the statement, with question marks
   * @param numbers from 1
   */
  private record Statement(String sql, List<Integer> numbers) {
    Bound bind(Object... values) {
      return new Bound(sql, numbers.stream().map(n -> values[n - 1]).toList());
    }
  }

  /** A statement with the values of its parameters. */
  private record Bound(String sql, List<Object> parameters) {}

  /**
   * The statements; {@code one} and {@code many} are null if there is no index for them. If {@code
   * secured}, {@code scan} runs all searches.
   *
   * @param config the configuration of the text index
   * @param rows the text that follows a statement in a FROM clause, with the rows o
   */
  private record Statements(
      Statement scan,
      @Nullable Statement one,
      @Nullable Statement many,
      boolean secured,
      @Nullable String config,
      @Nullable String paths,
      String rows) {}

  /** The statement that ranks; null if there is no text index. */
  private record Ranked(
      @Nullable Statement statement, boolean contained, boolean secured, @Nullable String paths) {}

  private final KeyedStore store;
  private volatile @Nullable Statements known;
  private volatile @Nullable Ranked ranked;

  /** Paths known to be in an index. Each entry is the list of its paths, followed by the path. */
  private final Set<String> indexed = ConcurrentHashMap.newKeySet();

  /** Creates the searches of a store. */
  public Searches(KeyedStore store) {
    this.store = store;
  }

  /** Returns the keys of the rows found, in order. */
  public List<Object> run(Connection connection, JsonSearch search, @Nullable RowKey after)
      throws SQLException {
    Bound found = bound(statements(connection, search), search, after);
    return rows(connection, found, store.column()::readKey);
  }

  /** Returns the rows found, in order, and where their documents match. */
  public List<SearchMatches> matches(
      Connection connection, JsonSearch search, @Nullable RowKey after) throws SQLException {
    Statements statements = statements(connection, search);
    Bound found = bound(statements, search, after);
    AttachedColumn column = store.column();
    List<SearchMatches> rows =
        store.ask(
            connection,
            Query.STORED
                + MatchRows.statement(
                    column,
                    "(" + found.sql() + ") " + statements.rows(),
                    "o." + column.quotedColumn()),
            r -> MatchRows.read(column, r),
            Stream.concat(
                    found.parameters().stream(),
                    Stream.of(MatchRows.parameters(statements.config(), search)))
                .toArray());
    return rows == null ? List.of() : rows;
  }

  private static Bound bound(Statements statements, JsonSearch search, @Nullable RowKey after) {
    List<List<SearchForms.Form>> conditions =
        search.probe() == null || statements.one() == null
            ? List.of()
            : SearchForms.of(search.probe());
    Object from = Query.untyped(after == null ? null : array(after.values()));
    boolean plain = search.text() == null && search.ranges().isEmpty();
    @Nullable Statement one = statements.one();
    if (one != null && plain && isOnly(conditions, search)) {
      List<SearchForms.Form> forms = conditions.get(0);
      return one.bind(
          Query.untyped(array(forms.stream().map(SearchForms.Form::json).toList())),
          Query.untyped(array(forms.stream().map(SearchForms.Form::path).toList())),
          probe(search),
          from,
          search.limit());
    }
    @Nullable Statement many = statements.many();
    Statement used = many == null || (plain && conditions.isEmpty()) ? statements.scan() : many;
    return used.bind(many(search, conditions, from));
  }

  /** Returns the rows found by words, best first. */
  public List<SearchHit> ranked(Connection connection, JsonSearch search) throws SQLException {
    Ranked found = ranked;
    // An index may have been created since, here or elsewhere.
    if (found == null
        || found.statement() == null
        || (search.probe() != null && !found.contained() && !found.secured())
        || !hasPaths(connection, search, found.paths())) {
      found = readRanked(connection);
      ranked = found;
    }
    if (found.statement() == null) {
      throw noTextIndex();
    }
    requirePaths(connection, search, found.paths());
    List<List<SearchForms.Form>> conditions =
        search.probe() == null || !found.contained() ? List.of() : SearchForms.of(search.probe());
    int columns = store.column().key().size();
    return rows(
        connection,
        found.statement().bind(many(search, conditions, Query.untyped(null))),
        r ->
            new SearchHit(
                store.column().readKey(r), r.getFloat(columns + 1), r.getString(columns + 2)));
  }

  /** Returns the rows found, in the order of the values at a path. */
  public List<JsonOrder.Hit> ordered(
      Connection connection, JsonSearch search, JsonOrder order, @Nullable RowKey after)
      throws SQLException {
    AttachedColumn column = store.column();
    Statements unused = statements(connection, search.withRange(JsonRange.of(order.path())));
    JsonOrder.@Nullable Hit last = order.after();
    List<JsonOrder.Hit> found =
        store.ask(
            connection,
            Query.STORED
                + "SELECT "
                + column.key().stream()
                    .map(k -> "(f.found)." + k.quoted())
                    .collect(Collectors.joining(", "))
                + ", f.value FROM pgtoaster.search_ordered(CAST(NULL AS "
                + column.quotedTable()
                + "), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WITH ORDINALITY f(found, value, n) ORDER BY f.n",
            r -> {
              List<JsonOrder.Hit> rows = new ArrayList<>();
              while (r.next()) {
                JsonNode value = Json.readTree(r.getString(column.key().size() + 1));
                rows.add(new JsonOrder.Hit(column.readKey(r), value));
              }
              return rows;
            },
            Query.untyped(column.column()),
            Query.untyped(order.path()),
            order.descending(),
            probe(search),
            Query.untyped(search.text()),
            (long) search.limit(),
            Query.untyped(SearchTexts.ranges(search.ranges())),
            Query.untyped(search.textPaths().isEmpty() ? null : array(search.textPaths())),
            Query.untyped(last == null ? null : JsonbText.text(last.value())),
            Query.untyped(after == null ? null : array(after.values())));
    return found == null ? List.of() : found;
  }

  /** Returns the parameters of the statements {@code many} and {@code scan}. */
  private static Object[] many(
      JsonSearch search, List<List<SearchForms.Form>> conditions, Object from) {
    List<String> names = new ArrayList<>();
    List<String> forms = new ArrayList<>();
    List<String> whole = new ArrayList<>();
    for (int i = 0; i < conditions.size(); i++) {
      List<SearchForms.Form> condition = conditions.get(i);
      for (int f = 0; f < condition.size(); f++) {
        names.add("c" + i);
        forms.add(condition.get(f).json());
        whole.add(String.valueOf(f == condition.size() - 1));
      }
    }
    String formula =
        IntStream.range(0, conditions.size())
            .mapToObj(i -> "c" + i)
            .collect(Collectors.joining("&"));
    return new Object[] {
      Query.untyped(array(names)),
      Query.untyped(array(forms)),
      Query.untyped(array(whole)),
      Query.untyped(search.text()),
      Query.untyped(formula.isEmpty() ? null : formula),
      probe(search),
      from,
      search.limit(),
      Query.untyped(SearchTexts.ranges(search.ranges())),
      Query.untyped(search.textPaths().isEmpty() ? null : array(search.textPaths()))
    };
  }

  private static Object probe(JsonSearch search) {
    return Query.untyped(SearchTexts.probe(search));
  }

  /** Returns true if the probe contains only one value. */
  private static boolean isOnly(List<List<SearchForms.Form>> conditions, JsonSearch search) {
    if (conditions.size() != 1 || search.probe() == null) {
      return false;
    }
    List<SearchForms.Form> forms = conditions.get(0);
    return forms.get(forms.size() - 1).json().equals(JsonbText.text(search.probe()));
  }

  private Statements statements(Connection connection, JsonSearch search) throws SQLException {
    boolean text = search.text() != null;
    Statements found = known;
    // An index may have been created since, here or elsewhere.
    if (found == null
        || (search.probe() != null && found.one() == null && !found.secured())
        || (text && found.config() == null)
        || !hasPaths(connection, search, found.paths())) {
      found = read(connection);
      known = found;
    }
    if (text && found.config() == null) {
      throw noTextIndex();
    }
    requirePaths(connection, search, found.paths());
    return found;
  }

  private void requirePaths(Connection connection, JsonSearch search, @Nullable String paths)
      throws SQLException {
    if (!hasPaths(connection, search, paths)) {
      throw new UnsupportedCapabilityException(
          store.column().name()
              + " has no path index for a path of the search: SELECT pgtoaster.create_index(table,"
              + " column, 'path', '{\"paths\": [\"variants[*].price\"]}')");
    }
  }

  /** Returns true if an index with these paths has the path of each range. */
  private boolean hasPaths(Connection connection, JsonSearch search, @Nullable String paths)
      throws SQLException {
    for (JsonRange range : search.ranges()) {
      if (paths == null) {
        return false;
      }
      String key = paths + range.path();
      if (!indexed.contains(key)) {
        boolean found =
            Query.one(
                connection,
                "SELECT CAST(? AS text[]) @> pgtoaster.path_names(ARRAY[CAST(? AS text)])",
                r -> r.getBoolean(1),
                Query.untyped(paths),
                Query.untyped(range.path()));
        if (!found) {
          return false;
        }
        indexed.add(key);
      }
    }
    return true;
  }

  private UnsupportedCapabilityException noTextIndex() {
    return new UnsupportedCapabilityException(
        store.column().name()
            + " has no text index: SELECT pgtoaster.create_index(table, column, 'text',"
            + " '{\"config\": \"english\"}')");
  }

  private Ranked readRanked(Connection connection) throws SQLException {
    AttachedColumn column = store.column();
    String mark = mark();
    return Query.read(
        connection,
        "SELECT s.many, s.contained, s.secured, s.paths FROM pgtoaster.search_statements("
            + column.regclass()
            + ", ?, ?, '{containment,path,text}', '{ranked,any_role}') s WHERE s.config IS NOT NULL",
        r ->
            r.next()
                ? new Ranked(
                    statement(r.getString(1), mark),
                    r.getBoolean(2),
                    r.getBoolean(3),
                    r.getString(4))
                : new Ranked(null, false, false, null),
        Query.untyped(column.column()),
        mark);
  }

  /** Returns the start of a parameter, which no name contains. */
  private static String mark() {
    return "p" + UUID.randomUUID().toString().replace("-", "") + "_";
  }

  private Statements read(Connection connection) throws SQLException {
    AttachedColumn column = store.column();
    String mark = mark();
    return Query.one(
        connection,
        "SELECT s.scan, s.one, s.many, s.secured, c.config, s.paths, s.rows FROM pgtoaster.search_statements("
            + column.regclass()
            + ", ?, ?) s LEFT JOIN LATERAL (SELECT pg_catalog.format('%I.%I', n.nspname,"
            + " c.cfgname) AS config FROM pg_catalog.pg_ts_config c JOIN pg_catalog.pg_namespace n"
            + " ON n.oid = c.cfgnamespace WHERE c.oid = CAST(s.config AS oid)) c ON true",
        r ->
            new Statements(
                statement(r.getString(1), mark),
                r.getString(2) == null ? null : statement(r.getString(2), mark),
                r.getString(3) == null ? null : statement(r.getString(3), mark),
                r.getBoolean(4),
                r.getString(5),
                r.getString(6),
                r.getString(7)),
        Query.untyped(column.column()),
        mark);
  }

  private static Statement statement(String sql, String mark) {
    List<Integer> numbers = new ArrayList<>();
    Matcher parameter = Pattern.compile(mark + "([0-9]+)").matcher(sql);
    String text =
        Query.STORED
            + parameter.replaceAll(
                m -> {
                  numbers.add(Integer.valueOf(m.group(1)));
                  return "?";
                });
    return new Statement(text, numbers);
  }

  private <R> List<R> rows(Connection connection, Bound statement, Query.Rows<R> row)
      throws SQLException {
    List<R> found =
        store.ask(
            connection,
            statement.sql(),
            r -> {
              List<R> rows = new ArrayList<>();
              while (r.next()) {
                rows.add(row.read(r));
              }
              return rows;
            },
            statement.parameters().toArray());
    return found == null ? List.of() : found;
  }

  /** Returns an array as the server reads it; null elements are NULL. */
  static String array(List<? extends @Nullable String> elements) {
    return elements.stream()
        .map(e -> e == null ? "NULL" : '"' + e.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
        .collect(Collectors.joining(",", "{", "}"));
  }
}
