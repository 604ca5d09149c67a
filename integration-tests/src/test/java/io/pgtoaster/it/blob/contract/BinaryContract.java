package io.pgtoaster.it.blob.contract;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.it.kit.Bytes;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Bytes that a text column cannot store. */
public interface BinaryContract extends Contract {
  @Test
  default void append_ofBytesThatLookLikePadding_keepsThem() {
    BlobColumn blobs = fx().blobs();
    byte[][] ends = {{0}, {1}, {0, 0, 0}, {1, 0}, {0, 1}, {1, 1, 0, 0}, {'\\', 0}, {-1}};
    for (int before : new int[] {0, 1, 1000, 1011, 8099, 8100}) {
      for (byte[] end : ends) {
        Object key = fx().row(fx().content(1, before));
        blobs.append(key, end);
        blobs.append(key, end);
        fx().assertContent(key, Bytes.concat(fx().content(1, before), end, end));
      }
    }
  }

  @Test
  default void append_ofZeros_keepsThem() {
    BlobColumn blobs = fx().blobs();
    for (int size : new int[] {1, 1012, 1013, 8100, 50_000}) {
      Object key = fx().row();
      blobs.append(key, new byte[size]);
      blobs.append(key, new byte[] {0});
      fx().assertContent(key, new byte[size + 1]);
    }
  }

  @Test
  default void append_ofOneByteAtATime_throughTheWholeTail_keepsThem() {
    BlobColumn blobs = fx().blobs();
    Object key = fx().row();
    byte[] all = new byte[1100];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) (i % 3);
      blobs.append(key, new byte[] {all[i]});
    }
    fx().assertContent(key, all);
  }

  @Test
  default void truncate_afterZeros_keepsExactlyTheLength() {
    BlobColumn blobs = fx().blobs();
    byte[] content = new byte[1000];
    Arrays.fill(content, 300, 400, (byte) 1);
    for (int length : new int[] {0, 1, 300, 301, 400, 401, 999}) {
      Object key = fx().row(content);
      blobs.truncate(key, length);
      fx().assertContent(key, Bytes.slice(content, 0, length));
    }
  }
}
