/** Chat memory of LangChain4j in documents. */
@NullMarked
package io.pgtoaster.langchain4j;

import org.jspecify.annotations.NullMarked;
