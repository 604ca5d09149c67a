package io.pgtoaster.it.hibernate.jsonb;

import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import jakarta.persistence.Cacheable;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;

/**
 * A cached entity. The class of its document adds members to older documents and reorders elements.
 */
@Entity(name = "Shelf")
@Cacheable
@Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
class Shelf {
  @Id long id;
  String name;
  @KeyedColumn Contents profile;

  static class Contents {
    public String title;
    public int count;
    public Set<String> labels = new HashSet<>();
    public List<String> tags = new ArrayList<>();
    public Settings settings = new Settings();
  }

  /** A member that older documents do not have. */
  static class Settings {
    public String theme = "light";
    public List<Integer> sizes = new ArrayList<>();
  }
}
