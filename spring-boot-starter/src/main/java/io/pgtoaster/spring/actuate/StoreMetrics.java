package io.pgtoaster.spring.actuate;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.pgtoaster.ColumnStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gauges of the stores. Reading {@code pgtoaster.stores} recreates the other gauges from the cached
 * sizes, so they follow stores that are added or removed.
 */
record StoreMetrics(StoreStatistics statistics) implements MeterBinder {
  private record Figure(MultiGauge gauge, Function<ColumnStatus, @Nullable Number> value) {
    void show(List<ColumnStatus> stores) {
      List<MultiGauge.Row<?>> rows = new ArrayList<>();
      for (ColumnStatus store : stores) {
        Number number = value.apply(store);
        if (number != null) {
          rows.add(MultiGauge.Row.of(tags(store), number));
        }
      }
      gauge.register(rows, true);
    }

    private static Tags tags(ColumnStatus store) {
      String column = store.column() == null ? "store_" + store.store() : store.column().toString();
      return Tags.of("column", column, "toaster", store.toaster());
    }
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    List<Figure> figures =
        List.of(
            figure(
                registry,
                "contents",
                null,
                "Blobs, or documents that are split",
                s -> s.contents()),
            figure(
                registry,
                "content.bytes",
                "bytes",
                "Total size of the blobs, or of the documents that are split",
                s -> s.bytes()),
            figure(
                registry,
                "rows",
                null,
                "Approximate number of rows that store them: chunks and pieces, or leaves and"
                    + " nodes",
                s -> s.storedRows()),
            figure(
                registry, "disk.bytes", "bytes", "Size of the store on disk", s -> s.tableBytes()),
            figure(
                registry,
                "dead.ratio",
                null,
                "Share of dead rows, from 0 to 1",
                s -> s.deadShare()),
            figure(
                registry,
                "garbage",
                null,
                "Blobs and documents that are released but not yet deleted",
                s -> s.garbage()),
            figure(
                registry,
                "warnings",
                null,
                "Problems that need attention",
                s -> s.warnings().size()));
    Board board = new Board(figures);
    Gauge.builder("pgtoaster.stores", () -> board.show(statistics.latest()))
        .description("Attached columns")
        .register(registry);
  }

  /** Registers the gauges of the cached sizes, unless they are registered already. */
  private static final class Board {
    private final List<Figure> figures;
    private @Nullable List<ColumnStatus> shown;

    Board(List<Figure> figures) {
      this.figures = figures;
    }

    @SuppressWarnings("ReferenceEquality") // a new list shows that there was a new reading
    synchronized double show(@Nullable List<ColumnStatus> latest) {
      if (latest == null) {
        return Double.NaN;
      }
      if (shown != latest) {
        shown = latest;
        figures.forEach(figure -> figure.show(latest));
      }
      return latest.size();
    }
  }

  private static Figure figure(
      MeterRegistry registry,
      String name,
      @Nullable String unit,
      String description,
      Function<ColumnStatus, @Nullable Number> value) {
    return new Figure(
        MultiGauge.builder("pgtoaster.store." + name)
            .description(description)
            .baseUnit(unit)
            .register(registry),
        value);
  }
}
