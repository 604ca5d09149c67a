package io.pgtoaster.benchmarks.report.figure;

import java.util.Map;

/**
 * A cell that was not measured or failed.
 *
 * @param benchmark class and method
 * @param params parameters by name
 * @param reason reason
 */
public record Footnote(String benchmark, Map<String, String> params, String reason) {}
