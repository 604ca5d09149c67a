package io.pgtoaster.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyOrderTest {
  private static final String[] PARTS = {"", "a", "b", "Z", "é", "ÿ", "€", "\uffee", "😀", "𐀀"};

  @Test
  void order_isByLengthThenBytes() {
    long seed = Long.getLong("pgtoaster.test.seed", 20_261_120);
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      String a = word(random);
      String b = word(random);
      byte[] x = a.getBytes(StandardCharsets.UTF_8);
      byte[] y = b.getBytes(StandardCharsets.UTF_8);
      int expected = x.length != y.length ? x.length - y.length : Arrays.compareUnsigned(x, y);
      String seen = "seed " + seed + ": " + a + " and " + b;
      assertThat(KeyOrder.utf8Length(a)).as(seen).isEqualTo(x.length);
      assertThat(Integer.signum(KeyOrder.JSONB.compare(a, b)))
          .as(seen)
          .isEqualTo(Integer.signum(expected));
      assertThat(Integer.signum(Arrays.compareUnsigned(KeyOrder.code(a), KeyOrder.code(b))))
          .as(seen)
          .isEqualTo(Integer.signum(expected));
    }
  }

  private static String word(Random random) {
    StringBuilder word = new StringBuilder();
    for (int i = random.nextInt(5); i > 0; i--) {
      word.append(PARTS[random.nextInt(PARTS.length)]);
    }
    return word.toString();
  }

  @Test
  void code_consistsOfLengthAndFirstBytes() {
    assertThat(KeyOrder.code("é")).containsExactly(0, 0, 0, 2, 0xc3, 0xa9);
    String longKey = "k".repeat(600);
    assertThat(KeyOrder.code(longKey)).hasSize(516).startsWith(0, 0, 2, 88, 'k');
    assertThat(Arrays.compareUnsigned(KeyOrder.code(longKey + "a"), KeyOrder.code(longKey + "b")))
        .isZero();
    assertThat(Arrays.compareUnsigned(new byte[0], KeyOrder.code(""))).isNegative();
  }
}
