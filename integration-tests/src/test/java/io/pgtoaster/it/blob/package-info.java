/** Blobs: suites that run the contracts on each kind of column, and tests of single operations. */
package io.pgtoaster.it.blob;
