package io.pgtoaster.it.hibernate.docs;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
public class Memo {
  @Id Long id;
  String title;

  @Column(insertable = false, updatable = false)
  Long audio; // the handle
}
