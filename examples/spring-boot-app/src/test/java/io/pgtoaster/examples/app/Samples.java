package io.pgtoaster.examples.app;

import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;
import javax.imageio.ImageIO;

/** Files to upload. */
final class Samples {
  private static final int RATE = 16_000;

  private Samples() {}

  static Path noise(Path file, int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return write(file, bytes);
  }

  /** Writes a tone that rises for a few seconds. */
  static Path tone(Path file, int seconds) {
    int samples = RATE * seconds;
    ByteBuffer wave = ByteBuffer.allocate(44 + 2 * samples).order(ByteOrder.LITTLE_ENDIAN);
    wave.put(ascii("RIFF")).putInt(36 + 2 * samples).put(ascii("WAVEfmt ")).putInt(16);
    wave.putShort((short) 1).putShort((short) 1).putInt(RATE).putInt(2 * RATE);
    wave.putShort((short) 2).putShort((short) 16).put(ascii("data")).putInt(2 * samples);
    for (int i = 0; i < samples; i++) {
      double time = (double) i / RATE;
      wave.putShort((short) (8000 * Math.sin(2 * Math.PI * (220 + 20 * time) * time)));
    }
    return write(file, wave.array());
  }

  static Path picture(Path file) {
    BufferedImage image = new BufferedImage(640, 360, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setPaint(new GradientPaint(0, 0, new Color(0x27496d), 0, 360, new Color(0xf0b36b)));
    graphics.fillRect(0, 0, 640, 360);
    graphics.setColor(new Color(0xfff3dc));
    graphics.fillOval(440, 150, 90, 90);
    graphics.setColor(new Color(0x1d3046));
    graphics.fillRect(0, 250, 640, 110);
    graphics.dispose();
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      ImageIO.write(image, "png", file.toFile());
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static Path write(Path file, byte[] bytes) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      return Files.write(file, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
