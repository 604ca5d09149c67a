package io.pgtoaster.benchmarks.question;

/**
 * What the servers have.
 *
 * @param extension the library's
 * @param postgresPro a patched server was named
 * @param lz4 the server can compress by it
 * @param hstore the extension of that name
 * @param cores of this machine
 * @param durable whether commits wait for the disk
 */
public record Available(
    boolean extension,
    boolean postgresPro,
    boolean lz4,
    boolean hstore,
    int cores,
    boolean durable) {}
