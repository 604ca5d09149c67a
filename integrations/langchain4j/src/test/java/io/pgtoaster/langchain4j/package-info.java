/** On a real server. */
package io.pgtoaster.langchain4j;
