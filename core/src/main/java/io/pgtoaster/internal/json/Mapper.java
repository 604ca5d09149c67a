package io.pgtoaster.internal.json;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** Configures Jackson with PostgreSQL's limits and exact numbers. */
final class Mapper {
  /**
   * Longest number in characters: enough for all digits that PostgreSQL allows and many redundant
   * zeros.
   */
  private static final int MAX_NUMBER_CHARS = 1_000_000;

  static final JsonMapper SHARED =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(Json.MAX_DEPTH)
                          .maxDocumentLength(-1)
                          .maxTokenCount(-1)
                          .maxNumberLength(MAX_NUMBER_CHARS)
                          .maxStringLength(Json.MAX_STRING_CHARS)
                          .maxNameLength(Json.MAX_STRING_CHARS)
                          .build())
                  .streamWriteConstraints(
                      StreamWriteConstraints.builder().maxNestingDepth(Json.MAX_DEPTH).build())
                  .disable(TokenStreamFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
                  .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                  .enable(StreamReadFeature.USE_FAST_BIG_NUMBER_PARSER)
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(JsonNodeFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .disable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private Mapper() {}
}
