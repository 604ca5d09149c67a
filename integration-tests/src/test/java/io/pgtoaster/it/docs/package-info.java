/** Samples and promises of the pages, and outputs of the build. */
package io.pgtoaster.it.docs;
