package io.pgtoaster.blob.appendable.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Arithmetic with the bytes in the rows of a blob: tails, runs, input, and ranges to read. */
public class RunsInMemoryTest {
  private static final long SEED = Long.getLong("pgtoaster.test.seed", 20261122);
  private static final int RUNS = 2_000;

  private static byte[] bytes(Random random, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  @Test
  void tail_returnsItsBytes_whateverTheyEndWith() {
    for (int run = 0; run < RUNS; run++) {
      Random random = new Random(SEED + run);
      byte[] content = bytes(random, random.nextInt(200));
      // Content may also end in zeros and terminators.
      for (int i = content.length - 1; i >= 0 && random.nextInt(3) > 0; i--) {
        content[i] = (byte) random.nextInt(2);
      }
      int capacity = content.length + 1 + random.nextInt(100);
      byte[] stored = Tail.store(content, capacity);
      assertThat(stored).as("seed %d", SEED + run).hasSize(capacity);
      assertThat(Tail.bytes(stored)).as("seed %d", SEED + run).isEqualTo(content);
      assertThat(Arrays.copyOf(stored, content.length)).isEqualTo(content);
    }
  }

  @Test
  void tailWithoutRoom_isEmpty() {
    assertThat(Tail.store(new byte[0], 0)).isEmpty();
    assertThat(Tail.bytes(new byte[0])).isEmpty();
    assertThat(Tail.bytes(new byte[] {1, 0, 0})).isEmpty();
  }

  @Test
  void capacity_isTwiceTheNextPowerOfTwo_withinTheBounds() {
    for (int largest : new int[] {65, 96, 500, 1012, 4000}) {
      for (int count = 0; count <= largest + 2; count++) {
        int power = 1;
        while (power * 2 <= count) {
          power *= 2;
        }
        int expected = count >= largest ? 0 : Math.min(largest, Math.max(64, power * 4));
        assertThat(Tail.capacityFor(count, largest))
            .as("%d of %d", count, largest)
            .isEqualTo(expected);
        assertThat(expected == 0 || expected > count).isTrue();
      }
    }
  }

  @Test
  void smallStores_allocateTheWholeTailAtOnce() {
    assertThat(Tail.capacityFor(0, 10)).isEqualTo(10);
    assertThat(Tail.capacityFor(9, 10)).isEqualTo(10);
    assertThat(Tail.capacityFor(10, 10)).isZero();
    assertThat(Tail.capacityFor(0, 0)).isZero();
  }

  @Test
  void input_returnsTheRunThenTheArray_inPartsOfAnySize() {
    for (int run = 0; run < RUNS; run++) {
      Random random = new Random(SEED + run);
      byte[] before = bytes(random, random.nextInt(40));
      int used = before.length == 0 ? 0 : random.nextInt(before.length + 1);
      byte[] array = bytes(random, random.nextInt(60));
      int from = random.nextInt(array.length + 1);
      int count = random.nextInt(array.length - from + 1);
      ChunkInput input = new ChunkInput(new TailSegment(before, used), array, from, count);
      byte[] expected = Arrays.copyOf(before, used + count);
      System.arraycopy(array, from, expected, used, count);
      byte[] actual = new byte[expected.length];
      int at = 0;
      while (at < expected.length) {
        assertThat(input.remaining()).as("seed %d", SEED + run).isEqualTo(expected.length - at);
        int wanted = 1 + random.nextInt(30);
        byte[] buffer = bytes(random, wanted + 7);
        byte[] untouched = buffer.clone();
        int into = random.nextInt(8);
        int filled = input.fill(buffer, into, wanted);
        assertThat(filled)
            .as("seed %d", SEED + run)
            .isEqualTo(Math.min(wanted, actual.length - at));
        System.arraycopy(buffer, into, actual, at, filled);
        System.arraycopy(untouched, into, buffer, into, filled);
        assertThat(buffer).as("outside the part, seed %d", SEED + run).isEqualTo(untouched);
        at += filled;
      }
      assertThat(actual).as("seed %d", SEED + run).isEqualTo(expected);
      assertThat(input.remaining()).isZero();
      assertThat(input.fill(new byte[9], 0, 9)).isZero();
    }
  }

  @Test
  void run_isCutWithoutItsSpareBytes() {
    for (int run = 0; run < RUNS; run++) {
      Random random = new Random(SEED + run);
      byte[] all = bytes(random, 1 + random.nextInt(50));
      TailSegment first = TailSegment.of(all).first(random.nextInt(all.length + 1));
      assertThat(first.exact()).isEqualTo(Arrays.copyOf(all, first.count()));
      assertThat(ChunkInput.of(first).remaining()).isEqualTo(first.count());
    }
  }

  @Test
  void range_isReadFromRowsInAnyOrder_withoutOtherBytes() {
    for (int run = 0; run < RUNS; run++) {
      Random random = new Random(SEED + run);
      byte[] blob = bytes(random, 1 + random.nextInt(300));
      int offset = random.nextInt(blob.length);
      int count = random.nextInt(blob.length - offset + 1);
      long shift = random.nextInt(3) * (1L << 33);
      StoredRange range = new StoredRange(shift + offset, count);
      assertThat(range.end()).isEqualTo(shift + offset + count);
      assertThat(range.complete()).isEqualTo(count == 0);
      int size = 1 + random.nextInt(50);
      int chunks = (blob.length + size - 1) / size;
      int first = random.nextInt(chunks);
      int found = 0;
      for (int i = 0; i < chunks; i++) {
        int start = (first + i) % chunks * size;
        int length = Math.min(size, blob.length - start);
        // An array may be longer than the stored bytes.
        byte[] row = Arrays.copyOfRange(blob, start, start + length);
        byte[] data = random.nextBoolean() ? row : Arrays.copyOf(row, length + 9);
        range.add(shift + start, data, length);
        found += Math.max(0, Math.min(offset + count, start + length) - Math.max(offset, start));
        assertThat(range.found()).as("seed %d", SEED + run).isEqualTo(found);
        assertThat(range.complete()).isEqualTo(found == count);
      }
      byte[] expected = Arrays.copyOfRange(blob, offset, offset + count);
      assertThat(range.bytes()).as("seed %d", SEED + run).isEqualTo(expected);
      assertThat(List.of(range.parts()))
          .as("seed %d", SEED + run)
          .noneMatch(part -> part.length == 0);
      assertThat(range.count()).isEqualTo(count);
      assertThat(range.offset()).isEqualTo(shift + offset);
      if (count > 0) {
        range.add(shift + offset, expected, 1);
        assertThat(range.complete()).as("a byte twice").isFalse();
      }
    }
  }
}
