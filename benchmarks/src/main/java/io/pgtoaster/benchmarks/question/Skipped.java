package io.pgtoaster.benchmarks.question;

import java.util.Map;

/**
 * Something that is not measured.
 *
 * @param benchmark class and method
 * @param params by name
 * @param reason why, for a footnote
 */
public record Skipped(String benchmark, Map<String, String> params, String reason) {}
