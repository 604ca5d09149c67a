package io.pgtoaster.it.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobReader;
import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.column.BlobCapability;
import io.pgtoaster.error.DiscardedException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Random;

/** Random operations on one blob, each by one of several executors, compared with a byte array. */
public final class RandomOperations implements RandomRuns.Steps {
  private static final int MOST = 300_000;
  private static final int[] SIZES = Bytes.boundaries().filter(n -> n < 100_000).toArray();

  private final Fixture fx;
  private final List<BlobColumn> executors;
  private final Random random;
  private final long seed;
  private final Object key;
  private byte[] model = new byte[0];
  private int first;
  private AppendToken token = new AppendToken(AppendToken.newWriter(), 1);
  private int number;
  private BlobColumn blobs;

  public RandomOperations(Fixture fx, List<BlobColumn> executors, long seed) {
    this.fx = fx;
    this.executors = List.copyOf(executors);
    this.blobs = executors.get(0);
    this.seed = seed;
    this.random = new Random(seed);
    this.key = fx.row(new byte[0]);
  }

  @Override
  public Runnable remember() {
    byte[] before = model;
    int firstBefore = first;
    return () -> {
      model = before;
      first = firstBefore;
      token = new AppendToken(AppendToken.newWriter(), 1);
    };
  }

  /** Executes one operation and checks a range. */
  @Override
  public void step() throws IOException {
    number++;
    takeTurns();
    int kind = random.nextInt(100);
    String what =
        "seed " + seed + ", operation " + number + " (" + kind + "), length " + model.length;
    try {
      if (model.length > MOST) {
        shrink();
      } else if (kind < 45) {
        append();
      } else if (kind < 55) {
        appendStream();
      } else if (kind < 65) {
        write();
      } else if (kind < 70) {
        truncate(kept());
      } else if (kind < 72) {
        byte[] bytes = content(size());
        blobs.replace(key, bytes);
        model = bytes;
        first = 0;
      } else if (kind < 74 && blobs.capabilities().contains(BlobCapability.DISCARD)) {
        int at = kept();
        assertThat(blobs.discardBefore(key, at)).isEqualTo(at);
        first = at;
      } else if (kind < 78) {
        blobs.compact(key);
      } else {
        readRange();
      }
      takeTurns();
      readRange();
      if (random.nextInt(50) == 0) {
        readWhole();
      }
    } catch (RuntimeException | IOException | AssertionError e) {
      throw new AssertionError(what, e);
    }
  }

  private void takeTurns() {
    blobs = executors.get(random.nextInt(executors.size()));
  }

  @Override
  public void finish() {
    assertThat(blobs.length(key)).as("seed %d", seed).isEqualTo(model.length);
    assertThat(blobs.info(key).orElseThrow().first()).as("seed %d", seed).isEqualTo(first);
    assertThat(blobs.read(key, first, model.length + 1)).as("seed %d", seed).isEqualTo(left());
    assertThat(blobs.verify(key)).as("seed %d", seed).isEmpty();
  }

  /** Returns an offset that was not discarded. */
  private int kept() {
    return first + random.nextInt(model.length - first + 1);
  }

  private byte[] left() {
    return Bytes.slice(model, first, model.length - first);
  }

  private int size() {
    return switch (random.nextInt(4)) {
      case 0 -> SIZES[random.nextInt(SIZES.length)];
      case 1 -> random.nextInt(20_000);
      default -> random.nextInt(300);
    };
  }

  private byte[] content(int size) {
    return fx.content(random.nextLong(), size);
  }

  private void append() {
    byte[] bytes = content(size());
    AppendOptions options = AppendOptions.defaults();
    boolean withToken =
        blobs.capabilities().contains(BlobCapability.TOKENS) && random.nextInt(4) == 0;
    if (withToken) {
      options = options.withToken(token);
    }
    if (random.nextInt(4) == 0) {
      AppendOptions wrong = AppendOptions.defaults().withExpectedOffset(model.length + 1L);
      Expect.conflict(model.length, () -> blobs.append(key, bytes, wrong));
      options = options.withExpectedOffset(model.length);
    }
    AppendResult expected = new AppendResult(model.length, bytes.length, false);
    assertThat(blobs.append(key, bytes, options)).isEqualTo(expected);
    if (withToken) {
      assertThat(blobs.append(key, bytes, options).repeated()).isTrue();
      token = token.next();
    }
    model = Bytes.concat(model, bytes);
  }

  private void appendStream() {
    byte[] bytes = content(size());
    assertThat(blobs.append(key, new ByteArrayInputStream(bytes)).offset()).isEqualTo(model.length);
    model = Bytes.concat(model, bytes);
  }

  private void write() {
    int at = kept();
    byte[] bytes = content(size());
    blobs.write(key, at, bytes);
    int end = Math.min(model.length, at + bytes.length);
    model =
        Bytes.concat(Bytes.slice(model, 0, at), bytes, Bytes.slice(model, end, model.length - end));
  }

  private void shrink() {
    int length =
        random.nextBoolean() ? SIZES[random.nextInt(SIZES.length)] : random.nextInt(20_000);
    truncate(length < first ? 0 : length);
  }

  private void truncate(int length) {
    blobs.truncate(key, length);
    model = Bytes.slice(model, 0, length);
    first = Math.min(first, length);
  }

  private void readRange() {
    int from = kept();
    int count = size();
    assertThat(blobs.read(key, from, count)).isEqualTo(Bytes.slice(model, from, count));
    if (first > 0) {
      int before = random.nextInt(first);
      assertThat(Expect.refused(DiscardedException.class, () -> blobs.read(key, before, 1 + count)))
          .extracting(DiscardedException::first)
          .isEqualTo((long) first);
    }
  }

  private void readWhole() throws IOException {
    try (BlobReader reader = blobs.open(key)) {
      assertThat(reader.length()).isEqualTo(model.length);
      byte[] all = new byte[model.length];
      System.arraycopy(model, 0, all, 0, first);
      int at = first;
      while (at < all.length) {
        at += reader.read(at, all, at, Math.min(all.length - at, 1 + size()));
      }
      assertThat(all).isEqualTo(model);
    }
    try (InputStream in = blobs.inputStream(key)) {
      assertThat(in.readAllBytes()).isEqualTo(left());
    }
  }
}
