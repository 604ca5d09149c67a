/** Tests of the extension. */
package io.pgtoaster.quarkus.deployment;
