package io.pgtoaster.it.hibernate;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Pattern;
import io.pgtoaster.it.kit.SmallJvm;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/**
 * Uses an attribute in a JVM with little memory: persists an entity with streamed content, appends
 * to the loaded entity, and reads all content. Prints the digests of input and output.
 */
final class SmallSession {
  private SmallSession() {}

  @Entity(name = "Recording")
  static class Recording {
    @Id long id;
    AppendableBlob audio;
  }

  public static void main(String[] args) throws Exception {
    long half = Long.parseLong(args[2]) / 2;
    MessageDigest in = Bytes.sha256();
    MessageDigest out = Bytes.sha256();
    try (SessionFactory factory =
        new Configuration()
            .addAnnotatedClass(Recording.class)
            .setProperty("hibernate.connection.url", args[0])
            .setProperty("hibernate.connection.username", args[1])
            .setProperty("hibernate.connection.password", SmallJvm.password())
            .setProperty("hibernate.hbm2ddl.auto", "create")
            .setProperty("hibernate.cache.use_second_level_cache", false)
            .buildSessionFactory()) {
      factory.inTransaction(
          session -> {
            Recording recording = new Recording();
            recording.id = 1;
            recording.audio = AppendableBlob.of(new DigestInputStream(new Pattern(half), in));
            session.persist(recording);
          });
      factory.inTransaction(
          session -> {
            AppendableBlob audio = session.find(Recording.class, 1L).audio;
            audio.append(new DigestInputStream(new Pattern(half), in));
          });
      factory.inTransaction(
          session -> {
            try (InputStream stored = session.find(Recording.class, 1L).audio.inputStream();
                OutputStream sink = new DigestOutputStream(OutputStream.nullOutputStream(), out)) {
              stored.transferTo(sink);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
    System.out.println(Bytes.hex(in) + " " + Bytes.hex(out));
  }
}
