package io.pgtoaster.spring.resource;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Map;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.query.Param;
import org.springframework.transaction.annotation.Transactional;

/** An entity with a blob and a document. Clients may send it as JSON. */
@Entity
@JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.ANY)
class Recording {
  @Id Long id;
  AppendableBlob audio;
  KeyedJson<Map<String, Object>> notes;

  interface Repository extends JpaRepository<Recording, Long> {
    @Modifying
    @Transactional
    @Query("update Recording r set r.notes = :notes where r.id = :id")
    int replaceNotes(@Param("id") long id, @Param("notes") KeyedJson<Map<String, Object>> notes);

    @Modifying
    @Transactional
    @Query("update Recording r set r.notes[:key] = :value where r.id = :id")
    int setNote(@Param("id") long id, @Param("key") String key, @Param("value") String value);
  }
}
