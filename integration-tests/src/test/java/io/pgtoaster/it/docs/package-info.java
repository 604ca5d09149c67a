/** Samples and promises of the pages, and output of the build. */
package io.pgtoaster.it.docs;
