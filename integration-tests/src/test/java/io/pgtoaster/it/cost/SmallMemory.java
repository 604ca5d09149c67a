package io.pgtoaster.it.cost;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobAppendStream;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Pattern;
import io.pgtoaster.it.kit.SmallJvm;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import org.postgresql.ds.PGSimpleDataSource;

/** Writes and reads content in a JVM with little memory. Prints the digests of both. */
final class SmallMemory {
  private SmallMemory() {}

  public static void main(String[] args) throws Exception {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(args[0]);
    source.setUser(args[1]);
    source.setPassword(SmallJvm.password());
    BlobColumn blobs = PgToaster.create(source).blobs("item", "content");
    long key = Long.parseLong(args[2]);
    MessageDigest in = Bytes.sha256();
    try (InputStream input = new DigestInputStream(new Pattern(Long.parseLong(args[4])), in)) {
      if (args[3].equals("append")) {
        blobs.append(key, input);
      } else {
        try (BlobAppendStream stream = blobs.appendStream(key)) {
          input.transferTo(stream);
        }
      }
    }
    MessageDigest out = Bytes.sha256();
    try (InputStream stored = blobs.inputStream(key);
        OutputStream sink = new DigestOutputStream(OutputStream.nullOutputStream(), out)) {
      stored.transferTo(sink);
    }
    System.out.println(Bytes.hex(in) + " " + Bytes.hex(out));
  }
}
