package io.pgtoaster.docs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.ext.heading.anchor.IdGenerator;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Block;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** Reads Markdown as GitHub does, including tables and anchors of headings. */
final class Markdown {
  private static final List<Extension> EXTENSIONS =
      List.of(TablesExtension.create(), HeadingAnchorExtension.create());

  private final Parser parser = Parser.builder().extensions(EXTENSIONS).build();
  private final Links links;

  Markdown(Links links) {
    this.links = links;
  }

  /** Reads a page. */
  Page read(Path file, String text) {
    Node document = parser.parse(text);
    List<String> titles = new ArrayList<>();
    List<Page.Section> sections = new ArrayList<>();
    List<Page.Passage> passages = new ArrayList<>();
    IdGenerator ids = IdGenerator.builder().build();
    document.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Heading heading) {
            String name = text(heading);
            String id = ids.generateId(name);
            if (heading.getLevel() == 1) {
              titles.add(name);
            } else if (heading.getLevel() == 2) {
              sections.add(new Page.Section(id, name));
            }
            passages.add(new Page.Passage(id, name, textBelow(heading)));
          }
        });
    if (titles.size() != 1) {
      throw new IllegalArgumentException(
          file + " has " + titles.size() + " first-level headings, not one");
    }
    HtmlRenderer renderer =
        HtmlRenderer.builder()
            .extensions(EXTENSIONS)
            .attributeProviderFactory(
                context -> (node, tag, attributes) -> attributes(file, node, tag, attributes))
            .build();
    return new Page(file, titles.get(0), renderer.render(document), sections, passages);
  }

  /** Returns a page that shows a file other than Markdown unchanged. */
  Page source(Path file, String text) {
    String name = file.toString().replace('\\', '/');
    return new Page(
        file,
        file.getFileName().toString(),
        "<h1>"
            + Html.text(file.getFileName().toString())
            + "</h1>\n<p><code>"
            + Html.text(name)
            + "</code></p>\n<pre tabindex=\"0\"><code>"
            + Html.text(text)
            + "</code></pre>\n",
        List.of(),
        List.of());
  }

  private void attributes(Path file, Node node, String tag, Map<String, String> attributes) {
    if (node instanceof Link link) {
      attributes.put("href", links.translate(file, link.getDestination()));
    } else if (node instanceof Image image) {
      attributes.put("src", links.translate(file, image.getDestination()));
    } else if (tag.equals("pre") || node instanceof TableBlock) {
      // Keyboard users can scroll an element only if it can have the focus.
      attributes.put("tabindex", "0");
    }
  }

  /** Returns the text of the blocks between a heading and the next one. */
  private static String textBelow(Heading heading) {
    StringJoiner text = new StringJoiner(" ");
    for (Node n = heading.getNext(); n != null && !(n instanceof Heading); n = n.getNext()) {
      text.add(text(n));
    }
    return text.toString();
  }

  private static String text(Node node) {
    StringBuilder text = new StringBuilder();
    node.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Text part) {
            text.append(part.getLiteral());
          }

          @Override
          public void visit(Code part) {
            text.append(part.getLiteral());
          }

          @Override
          public void visit(FencedCodeBlock block) {
            text.append(block.getLiteral());
          }

          @Override
          protected void visitChildren(Node parent) {
            super.visitChildren(parent);
            if (parent instanceof Block || parent instanceof TableCell) {
              text.append(' ');
            }
          }

          @Override
          public void visit(SoftLineBreak end) {
            text.append(' ');
          }
        });
    return text.toString().replaceAll("\\s+", " ").strip();
  }
}
