package io.pgtoaster.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order of keys where UTF-8 needs one more byte, and around the surrogates. */
class KeyOrderBoundsTest {
  private static final int[] CODE_POINTS = {
    1, 0x7e, 0x7f, 0x80, 0x81, 0x7fe, 0x7ff, 0x800, 0x801, 0xb7ff, 0xb800, 0xcfff, 0xd000, 0xd7ff,
    0xe000, 0xe001, 0xfffe, 0xffff, 0x10000, 0x10001, 0x103ff, 0x10400, 0x10fffe, 0x10ffff
  };

  @Test
  void order_isByteOrder_aroundEachBound() {
    List<String> keys = new ArrayList<>();
    for (int first : CODE_POINTS) {
      keys.add(Character.toString(first));
      for (int second : CODE_POINTS) {
        keys.add(Character.toString(first) + Character.toString(second));
      }
    }
    for (String a : keys) {
      byte[] x = a.getBytes(StandardCharsets.UTF_8);
      assertThat(KeyOrder.utf8Length(a)).isEqualTo(x.length);
      for (String b : keys) {
        byte[] y = b.getBytes(StandardCharsets.UTF_8);
        int expected = x.length != y.length ? x.length - y.length : Arrays.compareUnsigned(x, y);
        if (Integer.signum(KeyOrder.JSONB.compare(a, b)) != Integer.signum(expected)) {
          assertThat(KeyOrder.JSONB.compare(a, b))
              .as("%s and %s", Arrays.toString(x), Arrays.toString(y))
              .isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void code_endsWith512Bytes() {
    for (int length : new int[] {0, 1, 511, 512, 513, 70_000}) {
      byte[] code = KeyOrder.code("k".repeat(length));
      assertThat(code).hasSize(4 + Math.min(length, 512));
      assertThat(new java.math.BigInteger(1, Arrays.copyOf(code, 4))).isEqualTo(length);
    }
  }
}
