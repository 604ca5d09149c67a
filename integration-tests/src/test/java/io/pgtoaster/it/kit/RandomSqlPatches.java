package io.pgtoaster.it.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Random JSON Patches in SQL, compared with the same patches in the Java API. */
public final class RandomSqlPatches implements RandomRuns.Steps {
  private static final int MOST = 40_000;
  private static final int VERIFY_EVERY = 25;

  private final DocumentFixture fx;
  private final ThreePatched documents;
  private final Random random;
  private final RandomParts json;
  private final RandomPatch patches;
  private final long seed;
  private final Object key;
  private int number;
  private int done;

  public RandomSqlPatches(DocumentFixture fx, long seed) {
    this.fx = fx;
    this.documents = new ThreePatched(fx);
    this.random = new Random(seed);
    this.json = new RandomParts(random);
    this.patches = new RandomPatch(random, json);
    this.seed = seed;
    this.key = fx.row();
  }

  @Override
  public Runnable remember() {
    throw new UnsupportedOperationException("each patch is its own transaction");
  }

  @Override
  public void step() throws Exception {
    String model = documents.text(key);
    if (model == null || model.length() > MOST || random.nextInt(60) == 0) {
      model = document();
      documents.put(key, model);
    } else if (random.nextInt(40) == 0) {
      fx.own().compact(key);
    }
    JsonNode tree = Json.readTree(model);
    String patch = patches.next(tree, 3);
    number++;
    try {
      done += documents.patch(key, patch).equals(ThreePatched.DONE) ? 1 : 0;
      if (number % VERIFY_EVERY == 0) {
        assertThat(fx.own().verify(key)).isEmpty();
      }
    } catch (AssertionError e) {
      throw new AssertionError("seed %d, patch %d: %s".formatted(seed, number, patch), e);
    }
  }

  @Override
  public void finish() {
    assertThat(fx.own().verify(key)).as("seed %d", seed).isEmpty();
    assertThat(done).as("patches that were not rejected").isGreaterThan(number / 5);
    fx.own().clear(key);
  }

  private String document() {
    ObjectNode document = json.object(120);
    document.remove(List.of("$pgtoaster", "$$pgtoaster"));
    for (int i = 0; i < 30; i++) {
      document.withArray("list").add(json.value(4));
    }
    return JsonbText.text(document);
  }
}
