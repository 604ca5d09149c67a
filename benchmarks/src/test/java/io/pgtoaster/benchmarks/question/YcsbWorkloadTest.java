package io.pgtoaster.benchmarks.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.benchmarks.contender.document.StoreSession;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YcsbWorkloadTest {
  private static final int RECORDS = 60;
  private static final int FIELD = 20;

  private final Map<String, Integer> calls = new HashMap<>();

  /** Returns what a store returns, and counts the calls. */
  private StoreSession session() {
    String field = "x".repeat(FIELD);
    return (StoreSession)
        Proxy.newProxyInstance(
            StoreSession.class.getClassLoader(),
            new Class<?>[] {StoreSession.class},
            (proxy, method, arguments) -> {
              calls.merge(method.getName(), 1, Integer::sum);
              return switch (method.getName()) {
                case "get" -> field;
                case "getAll" ->
                    ((Collection<?>) arguments[0])
                        .stream().collect(Collectors.toMap(Function.identity(), id -> field));
                default -> null;
              };
            });
  }

  @ParameterizedTest
  @CsvSource({
    "A, 200, get, 100, set, 100",
    "B, 200, get, 190, set, 10",
    "C, 200, get, 200, set, 0",
    "D, 200, get, 190, insert, 10",
    "E, 200, getAll, 190, insert, 10",
    "F, 200, get, 200, set, 100",
    "D, 1, get, 0, insert, 1",
    "F, 3, get, 3, set, 2",
  })
  void mix_isExact_andCounted_fromTheFirstOperation(
      String name, int operations, String one, int ones, String other, int others)
      throws Exception {
    YcsbWorkload work = new YcsbWorkload(name, RECORDS, FIELD);
    StoreSession session = session();
    Random random = new Random(1);

    for (int i = 0; i < operations; i++) {
      work.one(session, random);
    }

    assertThat(calls.getOrDefault(one, 0)).isEqualTo(ones);
    assertThat(calls.getOrDefault(other, 0)).isEqualTo(others);
    assertThat(work.changed()).isEqualTo(others).isEqualTo(work.planned());
    assertThat(work.inserted()).isEqualTo(RECORDS + (other.equals("insert") ? others : 0));
  }
}
