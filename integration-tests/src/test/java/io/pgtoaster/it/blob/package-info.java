/**
 * Blobs: suites that run the contracts over each kind of column, and tests of single operations.
 */
package io.pgtoaster.it.blob;
