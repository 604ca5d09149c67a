/**
 * Health, metrics, an endpoint and scheduled maintenance.
 *
 * <p>{@code Maintenance} runs jobs: {@code gc} for the catalog, and {@code verify} and {@code
 * compact} for rows. {@code RowJob} processes a bounded number of rows per run. {@code
 * MaintenanceScheduler} starts jobs on schedule, the endpoint starts them on request, and {@code
 * OneInstance} ensures that no other instance of the application runs the same job. The result of a
 * run is kept as a {@code JobRun}, which health and metrics show. Only {@code StoreStatistics}
 * reads the sizes of stores, at most once per interval, because that counts rows; everything else
 * comes from the catalog ({@code AttachedColumns}). {@code ObservedCalls} observes the
 * application's calls on its columns.
 */
@NullMarked
package io.pgtoaster.spring.actuate;

import org.jspecify.annotations.NullMarked;
