package io.pgtoaster.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pgtoaster.error.InvalidPathException;
import java.math.BigInteger;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PositionsTest {
  private static final long SEED = Long.getLong("pgtoaster.test.seed", 20261122);
  private static final Pattern INTEGER = Pattern.compile("[ \t\n\u000b\f\r]*([+-]?)([0-9]+)");
  private static final String CHARS = "0123456789+- \t\n\u000b\f\r\b\u000e/:a";

  /** Parses a step like PostgreSQL, which uses strtoint. */
  private static OptionalInt expected(String step) {
    Matcher m = INTEGER.matcher(step);
    if (!m.matches()) {
      return OptionalInt.empty();
    }
    BigInteger value = new BigInteger((m.group(1).equals("-") ? "-" : "") + m.group(2));
    return value.bitLength() < 32 ? OptionalInt.of(value.intValueExact()) : OptionalInt.empty();
  }

  @Test
  void anyText_isParsedAsPostgresqlDoes() {
    Random random = new Random(SEED);
    for (int run = 0; run < 50_000; run++) {
      StringBuilder step = new StringBuilder();
      for (int n = random.nextInt(4); n > 0; n--) {
        step.append(CHARS.charAt(random.nextInt(CHARS.length())));
      }
      for (int n = random.nextInt(4); n > 0; n--) {
        step.append((char) ('0' + random.nextInt(10)));
      }
      assertThat(Positions.read(step.toString()))
          .as("seed %d: '%s'", SEED, step)
          .isEqualTo(expected(step.toString()));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {Integer.MAX_VALUE, Integer.MIN_VALUE, 0, 4_294_967_296L, Long.MAX_VALUE})
  void positions_haveAtMost32Bits(long bound) {
    for (long beside = -3; beside <= 3; beside++) {
      BigInteger value = BigInteger.valueOf(bound).add(BigInteger.valueOf(beside));
      for (String zeros : new String[] {"", "000000000000000000000"}) {
        String sign = value.signum() < 0 ? "-" : "";
        String step = sign + zeros + value.abs();
        assertThat(Positions.read(step)).as(step).isEqualTo(expected(step));
      }
    }
  }

  @Test
  void invalidPosition_isRefused_withTheStepsNumberAndShortenedText() {
    assertThat(Positions.require(List.of("a", "-7"), 1)).isEqualTo(-7);
    String longest = "x".repeat(100);
    assertThatExceptionOfType(InvalidPathException.class)
        .isThrownBy(() -> Positions.require(List.of("a", longest), 1))
        .withMessageContaining("step 2 of")
        .withMessageContaining("\"" + longest + "\"");
    assertThatExceptionOfType(InvalidPathException.class)
        .isThrownBy(() -> Positions.require(List.of(longest + "x"), 0))
        .withMessageContaining("step 1 of")
        .withMessageContaining("\"" + longest + "...\"");
  }
}
