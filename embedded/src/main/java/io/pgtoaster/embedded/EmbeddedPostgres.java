package io.pgtoaster.embedded;

/** Placeholder of the server launcher; public because javadoc refuses a module without API. */
public final class EmbeddedPostgres {
  private EmbeddedPostgres() {}
}
