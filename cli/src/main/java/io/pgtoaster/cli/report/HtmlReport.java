package io.pgtoaster.cli.report;

import io.pgtoaster.cli.demo.DemoResult;

/** The page. */
public final class HtmlReport {
  private final DemoResult result;

  /**
   * Prepares the page.
   *
   * @param result what was found
   */
  public HtmlReport(DemoResult result) {
    this.result = result;
  }

  @Override
  public String toString() {
    return result.toString();
  }
}
