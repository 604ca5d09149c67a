package io.pgtoaster.it.kit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A SCRAM verifier (RFC 5803) with one iteration instead of 4,096. Iterations make guessing slow,
 * but guessing a random password is hopeless anyway. They also make connecting slow: each of a
 * suite's many thousand connections would take 11 ms of CPU time instead of 1 ms.
 */
final class QuickScram {
  private static final String HMAC = "HmacSHA256";

  private QuickScram() {}

  static String verifier(String password) {
    byte[] salt = new byte[16];
    new SecureRandom().nextBytes(salt);
    byte[] block = new byte[salt.length + 4]; // the salt, and the block number 1
    System.arraycopy(salt, 0, block, 0, salt.length);
    block[block.length - 1] = 1;
    byte[] salted = hmac(password.getBytes(US_ASCII), block);
    byte[] storedKey = Bytes.sha256().digest(hmac(salted, "Client Key".getBytes(US_ASCII)));
    byte[] serverKey = hmac(salted, "Server Key".getBytes(US_ASCII));
    Base64.Encoder base64 = Base64.getEncoder();
    return "SCRAM-SHA-256$1:%s$%s:%s"
        .formatted(
            base64.encodeToString(salt),
            base64.encodeToString(storedKey),
            base64.encodeToString(serverKey));
  }

  private static byte[] hmac(byte[] key, byte[] message) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key, HMAC));
      return mac.doFinal(message);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
