package io.pgtoaster.spring.data;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.JpaSpecificationExecutor;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.transaction.annotation.Transactional;

/** Queries over document paths, as applications write them. */
interface QueriedMeetings extends JpaRepository<Meeting, Long>, JpaSpecificationExecutor<Meeting> {
  @Query("select m from Meeting m where m.notes['topic'] = :topic order by m.title")
  List<Meeting> about(String topic);

  @Query("select m.title from Meeting m where m.notes['people'].ann = :role")
  List<String> withAnn(String role);

  @Query("select m.title from Meeting m where m.notes['people'][:name] = :role")
  List<String> with(String name, String role);

  @Modifying(clearAutomatically = true, flushAutomatically = true)
  @Transactional
  @Query("update Meeting m set m.notes['people']['bob'] = :role where m.notes['topic'] = :topic")
  int appoint(String topic, Object role);

  @Modifying
  @Transactional
  @Query("update Meeting m set m.notes = keyed_remove(m.notes, 'people.bob')")
  int dismiss();
}
