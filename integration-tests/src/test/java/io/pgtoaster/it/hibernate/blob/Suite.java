package io.pgtoaster.it.hibernate.blob;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.it.hibernate.kit.Orm;
import org.hibernate.Session;
import org.hibernate.StatelessSession;

/** The objects that each part of the contract uses. */
interface Suite {
  Tracks tracks();

  default Orm orm() {
    return tracks().orm();
  }

  default void inTransaction(Orm.Work<Session> work) throws Exception {
    orm().inTransaction(work);
  }

  default <T> T fromTransaction(Orm.Query<Session, T> query) throws Exception {
    return orm().fromTransaction(query);
  }

  default void statelessly(Orm.Work<StatelessSession> work) throws Exception {
    orm().statelessly(work);
  }

  default Track find(Session session, long id) {
    return session.find(tracks().type(), id);
  }

  default AppendableBlob audio(Session session, long id) {
    return find(session, id).audio();
  }
}
