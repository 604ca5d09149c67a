/** Contexts processed ahead of time. */
package io.pgtoaster.spring.aot;
