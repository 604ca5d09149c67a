package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.it.kit.Expect;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** A toaster without tokens, seals, discards and handles rejects calls that need them. */
public interface NoTokenContract extends Contract {
  @Test
  default void token_isRefusedAndNothingChanges() {
    Object key = fx().row(fx().content(1, 5));
    AppendOptions options =
        AppendOptions.defaults().withToken(new AppendToken(AppendToken.newWriter(), 1));
    Expect.refused(
        UnsupportedCapabilityException.class,
        () -> fx().blobs().append(key, fx().content(2, 5), options));
    fx().assertContent(key, fx().content(1, 5));
  }

  @Test
  default void create_isRefused() throws SQLException {
    Connection connection = fx().begin();
    Expect.refused(UnsupportedCapabilityException.class, () -> fx().on(connection).create());
  }

  @Test
  default void seal_isRefusedAndNothingChanges() {
    Object key = fx().row(fx().content(1, 5));
    Expect.refused(UnsupportedCapabilityException.class, () -> fx().blobs().seal(key));
    fx().blobs().append(key, fx().content(2, 5));
  }

  @Test
  default void discard_isRefusedAndNothingChanges() {
    Object key = fx().row(fx().content(1, 5));
    Expect.refused(UnsupportedCapabilityException.class, () -> fx().blobs().discardBefore(key, 2));
    AppendOptions keep = AppendOptions.defaults().withKeepLast(2);
    Expect.refused(
        UnsupportedCapabilityException.class,
        () -> fx().blobs().append(key, fx().content(2, 5), keep));
    assertThat(fx().blobs().info(key).orElseThrow().first()).isZero();
    fx().assertContent(key, fx().content(1, 5));
  }
}
