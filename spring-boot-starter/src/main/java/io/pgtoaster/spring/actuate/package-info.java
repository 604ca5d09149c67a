/**
 * Health, metrics, an endpoint and scheduled maintenance.
 *
 * <p>{@code Maintenance} runs jobs: {@code gc} of the catalog, and {@code verify} and {@code
 * compact} of rows, which {@code RowJob} does for a bounded number per run. {@code
 * MaintenanceScheduler} says when, {@code OneInstance} that no other instance of the application
 * does the same, and the endpoint runs a job when it is asked. How a job ended is remembered as a
 * {@code JobRun}, which health and metrics show. Sizes of stores are read by {@code
 * StoreStatistics} alone, at most once in a while, because that counts rows; whatever else is shown
 * comes from the catalog ({@code AttachedColumns}). Calls of the application on its columns are
 * observed by {@code ObservedCalls}.
 */
@NullMarked
package io.pgtoaster.spring.actuate;

import org.jspecify.annotations.NullMarked;
