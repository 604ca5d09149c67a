package io.pgtoaster.spring.actuate;

import io.pgtoaster.Catalog;
import io.pgtoaster.ColumnStatus;
import io.pgtoaster.ExtensionStatus;
import io.pgtoaster.PgToaster;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * Actuator endpoint {@code pgtoaster}. Lists the stores with their sizes and options, and runs
 * maintenance jobs if its access is unrestricted. Thread-safe.
 */
@Endpoint(id = "pgtoaster", defaultAccess = Access.READ_ONLY)
public final class PgToasterEndpoint {
  private final PgToaster toaster;
  private final boolean extensionWanted;
  private final StoreStatistics statistics;
  private final Maintenance maintenance;

  PgToasterEndpoint(
      PgToaster toaster,
      boolean extensionWanted,
      StoreStatistics statistics,
      Maintenance maintenance) {
    this.toaster = toaster;
    this.extensionWanted = extensionWanted;
    this.statistics = statistics;
    this.maintenance = maintenance;
  }

  /**
   * The response of the endpoint.
   *
   * @param catalogVersion version of the catalog; 0 if it is not installed
   * @param extension status of the server extension
   * @param stores one per attached column
   * @param jobs last run of each job in this instance, by name
   */
  public record Report(
      int catalogVersion, Extension extension, List<Store> stores, Map<String, JobRun> jobs) {}

  /**
   * Status of the server extension.
   *
   * @param installed version installed in the database, or null
   * @param available version available on the server, or null
   * @param used whether calls use the extension
   * @param advice recommended action, or null
   */
  public record Extension(
      @Nullable String installed,
      @Nullable String available,
      boolean used,
      @Nullable String advice) {}

  /**
   * The store of an attached column. Values that the catalog does not know are null.
   *
   * @param store its number
   * @param column name of the column, with the schema; null if the table was dropped
   * @param toaster name of the toaster
   * @param executor extension, sql or server
   * @param options by name
   * @param contents number of blobs, or of split documents
   * @param bytes sum of their sizes
   * @param storedRows approximate number of rows that store them
   * @param tableBytes size on disk
   * @param deadShare share of dead rows, from 0 to 1
   * @param garbage number of contents that are released but not deleted yet
   * @param warnings problems that need attention
   */
  public record Store(
      int store,
      @Nullable String column,
      String toaster,
      String executor,
      Map<String, String> options,
      @Nullable Long contents,
      @Nullable Long bytes,
      @Nullable Long storedRows,
      @Nullable Long tableBytes,
      @Nullable Double deadShare,
      @Nullable Long garbage,
      List<String> warnings) {}

  /**
   * Reads the current sizes of all stores.
   *
   * @return the report
   */
  @ReadOperation
  public Report stores() {
    Catalog catalog = toaster.catalog();
    int version = catalog.installedVersion();
    ExtensionStatus extension = catalog.extension();
    List<Store> stores = statistics.now().stream().map(status -> store(status, extension)).toList();
    Map<String, JobRun> jobs = new TreeMap<>();
    for (Job job : Job.values()) {
      maintenance.lastRun(job).ifPresent(run -> jobs.put(job.toString(), run));
    }
    return new Report(
        version,
        new Extension(
            extension.installed(),
            extension.available(),
            extensionWanted && extension.used(),
            extension.advice()),
        stores,
        jobs);
  }

  /**
   * Runs a maintenance job, within the limits set in its properties.
   *
   * @param job gc, verify or compact
   * @return the result
   */
  @WriteOperation
  public JobRun run(@Selector String job) {
    for (Job known : Job.values()) {
      if (known.toString().equals(job.toLowerCase(Locale.ROOT))) {
        return maintenance.run(known);
      }
    }
    throw new InvalidEndpointRequestException(
        "there is no job \"" + job + "\"; the jobs are gc, verify and compact", "unknown job");
  }

  private Store store(ColumnStatus s, ExtensionStatus extension) {
    return new Store(
        s.store(),
        s.column() == null ? null : s.column().toString(),
        s.toaster(),
        AttachedColumns.executor(s.toaster(), extension, extensionWanted),
        new TreeMap<>(s.options()),
        s.contents(),
        s.bytes(),
        s.storedRows(),
        s.tableBytes(),
        s.deadShare(),
        s.garbage(),
        s.warnings());
  }
}
