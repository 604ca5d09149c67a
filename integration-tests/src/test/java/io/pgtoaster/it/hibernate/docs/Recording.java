package io.pgtoaster.it.hibernate.docs;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.util.Map;

@Entity
public class Recording {
  @Id @GeneratedValue Long id;
  @Version int version;
  String title;

  AppendableBlob audio; // a bigint column

  @KeyedColumn(keepInline = "/artist")
  KeyedJson<Map<String, Object>> notes; // a jsonb column
}
