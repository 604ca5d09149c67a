package io.pgtoaster.it.hibernate.blob;

import io.pgtoaster.it.kit.Setting;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Runs the contract on one kind of column in each {@link Setting}. */
@ParameterizedClass(name = "{0}")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BlobAttributeContract
    implements PersistContract,
        ContentContract,
        ReplaceContract,
        StateContract,
        RollbackContract,
        MergeContract,
        CacheContract,
        QueryContract,
        StatelessContract,
        IsolationContract,
        JsonContract {
  private final Class<? extends Track> type;
  private Tracks tracks;

  @Parameter Setting setting;

  BlobAttributeContract(Class<? extends Track> type) {
    this.type = type;
  }

  @Override
  public final Tracks tracks() {
    if (tracks == null) {
      tracks = new Tracks(setting, type);
    }
    return tracks;
  }

  @AfterEach
  void leaveNothingBehind() {
    tracks().assertClean();
  }

  @AfterParameterizedClassInvocation
  void close() throws SQLException {
    if (tracks != null) {
      tracks.close();
      tracks = null;
    }
  }
}
