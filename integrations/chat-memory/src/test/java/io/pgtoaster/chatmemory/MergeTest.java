package io.pgtoaster.chatmemory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** The changes of two writers, as strings that have one character per message. */
class MergeTest {
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          abc,   abc,   abcd,  abcd
          abc,   abcx,  abcd,  abcxd
          sabcd, sabcd, scdef, scdef
          sabcd, sabcdx, scdef, scdxef
          sabcd, sbcdx, sbcdy, sbcdxy
          abab,  abab,  ababa, ababa
          abab,  abab,  bab,   bab
          abc,   '',    abcd,  d
          '',    ab,    c,     abc
          abc,   xabc,  abyc,  xabyc
          abc,   abc,   xyz,   xyz
          """)
  void bothChanges_areKept(String base, String stored, String wanted, String result) {
    assertThat(merge(base, stored, wanted)).isEqualTo(result);
  }

  @Test
  void changesOfASingleWriter_areAppliedExactly() {
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      String base = text(random);
      String wanted = text(random);
      assertThat(merge(base, base, wanted)).as("%s -> %s", base, wanted).isEqualTo(wanted);
      assertThat(merge(base, wanted, base)).as("%s <- %s", base, wanted).isEqualTo(wanted);
    }
  }

  @Test
  void messagesThatNoColumnStores_differFromSimilarOnes() {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    Digests digests =
        Digests.of(
            List.of(
                nodes.stringNode("a\ud800"),
                nodes.stringNode("a?"),
                nodes.stringNode("a\ufffd"),
                nodes.numberNode(Double.NaN),
                nodes.stringNode("NaN")));
    assertThat(IntStream.range(0, digests.size()).mapToLong(digests::get)).doesNotHaveDuplicates();
  }

  @Test
  void alignment_findsTheLongestCommonPart() {
    Random random = new Random(8);
    for (int i = 0; i < 5_000; i++) {
      String from = text(random);
      String to = text(random);
      int[] found = Alignment.of(hashes(from), hashes(to));
      int last = -1;
      int common = 0;
      for (int position = 0; position < found.length; position++) {
        if (found[position] >= 0) {
          assertThat(from.charAt(position)).isEqualTo(to.charAt(found[position]));
          assertThat(found[position]).isGreaterThan(last);
          last = found[position];
          common++;
        }
      }
      assertThat(common).as("%s, %s", from, to).isEqualTo(longest(from, to));
    }
  }

  private static int longest(String a, String b) {
    int[][] common = new int[a.length() + 1][b.length() + 1];
    for (int i = 1; i <= a.length(); i++) {
      for (int j = 1; j <= b.length(); j++) {
        common[i][j] =
            a.charAt(i - 1) == b.charAt(j - 1)
                ? common[i - 1][j - 1] + 1
                : Math.max(common[i - 1][j], common[i][j - 1]);
      }
    }
    return common[a.length()][b.length()];
  }

  private static String text(Random random) {
    return random
        .ints(random.nextInt(12), 'a', 'e')
        .mapToObj(Character::toString)
        .collect(Collectors.joining());
  }

  private static String merge(String base, String stored, String wanted) {
    Merge merge = Merge.of(hashes(base), hashes(stored), hashes(wanted));
    Digests result = merge.hashes(hashes(stored), hashes(wanted));
    return IntStream.range(0, result.size())
        .mapToObj(i -> Character.toString((int) result.get(i)))
        .collect(Collectors.joining());
  }

  private static Digests hashes(String messages) {
    return new Digests(messages.chars().asLongStream().toArray());
  }
}
