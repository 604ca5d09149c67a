package io.pgtoaster.it.hibernate.blob;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.it.hibernate.kit.Orm;
import org.hibernate.Session;

/** The objects that each part of the contract uses. */
interface Suite {
  Tracks tracks();

  default Orm orm() {
    return tracks().orm();
  }

  default Track find(Session session, long id) {
    return session.find(tracks().type(), id);
  }

  default AppendableBlob audio(Session session, long id) {
    return find(session, id).audio();
  }
}
