package io.pgtoaster.spring.tus;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** The header {@code Upload-Checksum}: an algorithm and the expected checksum of the body. */
final class UploadChecksum {
  private static final Map<String, Supplier<MessageDigest>> ALGORITHMS =
      new TreeMap<>(
          Map.of(
              "md5", () -> digest("MD5"),
              "sha1", () -> digest("SHA-1"),
              "sha256", () -> digest("SHA-256"),
              "sha512", () -> digest("SHA-512"),
              "crc32", () -> new Crc("crc32", new CRC32()),
              "crc32c", () -> new Crc("crc32c", new CRC32C())));

  private final MessageDigest digest;
  private final byte[] expected;

  private UploadChecksum(MessageDigest digest, byte[] expected) {
    this.digest = digest;
    this.expected = expected;
  }

  static String algorithms() {
    return String.join(",", ALGORITHMS.keySet());
  }

  static UploadChecksum parse(String header) {
    String[] parts = header.strip().split(" +", 2);
    Supplier<MessageDigest> algorithm = ALGORITHMS.get(parts[0]);
    if (algorithm == null || parts.length < 2) {
      throw new TusException(
          400, "Upload-Checksum requires one of " + algorithms() + ", and a value");
    }
    try {
      return new UploadChecksum(algorithm.get(), Base64.getDecoder().decode(parts[1].strip()));
    } catch (IllegalArgumentException e) {
      throw new TusException(400, "Upload-Checksum has a value that is not Base64");
    }
  }

  void update(byte[] bytes, int count) {
    digest.update(bytes, 0, count);
  }

  /** Returns true if the bytes match the expected checksum. Can be called once. */
  boolean matches() {
    return MessageDigest.isEqual(digest.digest(), expected);
  }

  private static MessageDigest digest(String name) {
    try {
      return MessageDigest.getInstance(name);
    } catch (NoSuchAlgorithmException e) {
      throw new TusException(400, "the checksum algorithm " + name + " is not supported");
    }
  }

  /** A 32-bit checksum, most significant byte first. */
  private static final class Crc extends MessageDigest {
    private final Checksum checksum;

    Crc(String name, Checksum checksum) {
      super(name);
      this.checksum = checksum;
    }

    @Override
    protected void engineUpdate(byte input) {
      checksum.update(input);
    }

    @Override
    protected void engineUpdate(byte[] input, int offset, int length) {
      checksum.update(input, offset, length);
    }

    @Override
    protected byte[] engineDigest() {
      return ByteBuffer.allocate(4).putInt((int) checksum.getValue()).array();
    }

    @Override
    protected void engineReset() {
      checksum.reset();
    }
  }
}
