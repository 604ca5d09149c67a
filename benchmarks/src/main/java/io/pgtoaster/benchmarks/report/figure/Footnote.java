package io.pgtoaster.benchmarks.report.figure;

import java.util.Map;

/**
 * Something that was not measured, or failed.
 *
 * @param benchmark class and method
 * @param params by name
 * @param reason why
 */
public record Footnote(String benchmark, Map<String, String> params, String reason) {}
