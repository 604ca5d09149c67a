package io.pgtoaster.benchmarks.guard.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.pgtoaster.blob.BlobAppendStream;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobReader;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentValue;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the counted operations with the public methods of the API. */
class PublicOperationsTest {
  /** Types that read and change content. */
  private static final List<Class<?>> API =
      List.of(
          BlobColumn.class,
          BlobReader.class,
          BlobAppendStream.class,
          DocumentColumn.class,
          DocumentValue.class);

  /** Attributes of entities, whose work is done by the methods of columns and by the flush. */
  private static final List<Class<?>> ATTRIBUTES = List.of(AppendableBlob.class, KeyedJson.class);

  /** Methods that create or describe a handle, or send only what other operations also send. */
  private static final Set<String> HANDLES =
      Set.of(
          "BlobColumn.on(Connection)",
          "BlobColumn.capabilities()",
          "BlobColumn.describe()",
          "BlobReader.length()",
          "BlobReader.first()",
          "BlobReader.generation()",
          "BlobReader.sealed()",
          "BlobAppendStream.position()",
          "BlobAppendStream.pending()",
          "BlobAppendStream.abort()",
          "DocumentColumn.on(Connection)",
          "DocumentColumn.withMapper(JsonMapper)",
          "DocumentColumn.capabilities()",
          "DocumentColumn.describe()",
          "AppendableBlob.in(SharedSessionContract)",
          "KeyedJson.isLoaded(String)");

  /**
   * Overloads of counted operations that run the same code with another form of argument or result.
   */
  private static final Set<String> OVERLOADS =
      Set.of(
          "BlobColumn.create(int)",
          "BlobColumn.append(Object, InputStream, AppendOptions)",
          "BlobColumn.append(Object, byte[], int, int)",
          "BlobColumn.append(Object, ByteBuffer)",
          "BlobColumn.appendText(Object, CharSequence)",
          "BlobColumn.readAll(Object, int)",
          "BlobColumn.keys(int)",
          "BlobColumn.tail(Object, int)",
          "BlobColumn.reader(Object, long)",
          "BlobReader.startOfLastLines(long)",
          "BlobColumn.write(Object, long, InputStream)",
          "BlobColumn.appendStream(Object, StreamOptions)",
          "BlobColumn.channel(Object, ChannelOptions)",
          "BlobReader.inputStream()",
          "BlobReader.inputStream(long, long)",
          "BlobAppendStream.write(int)",
          "BlobAppendStream.write(byte[], int, int)",
          "DocumentColumn.getAll(Collection, String)",
          "DocumentColumn.textAll(Collection, String)",
          "DocumentColumn.appendAll(String, Map)",
          "DocumentColumn.appendEach(String, Map)",
          "DocumentColumn.putJson(Object, Reader)",
          "DocumentColumn.insert(Object, Object)",
          "DocumentColumn.insertJson(Object, InputStream)",
          "DocumentColumn.insertJson(Object, Reader)",
          "DocumentColumn.mergeJson(Object, String)",
          "DocumentColumn.patch(Object, Object)",
          "DocumentColumn.put(Object, Object, TypeReference)",
          "DocumentColumn.load(Object, Class)",
          "DocumentColumn.load(Object, Writer)",
          "DocumentColumn.stream(Object)",
          "DocumentValue.get(Class)",
          "DocumentValue.get(TypeReference)",
          "DocumentValue.get(JavaType)",
          "DocumentValue.slice(long, long, Class)",
          "DocumentValue.slice(long, long, TypeReference)",
          "DocumentValue.slice(long, long, JavaType)",
          "DocumentValue.keys(int)",
          "DocumentValue.reader()",
          "DocumentValue.parser()",
          "DocumentValue.set(Object, SetOptions)",
          "DocumentValue.setJson(String)",
          "DocumentValue.setJson(String, SetOptions)",
          "DocumentValue.increment(BigDecimal)",
          "AppendableBlob.of(String)",
          "AppendableBlob.of(InputStream)",
          "AppendableBlob.of(Path)",
          "AppendableBlob.append(String)",
          "KeyedJson.of(Object, TypeReference)",
          "KeyedJson.of(Object)",
          "KeyedJson.ofJson(String)");

  @Test
  void eachPublicOperation_isCounted() {
    Set<String> called = called();
    Set<String> columns = names(API);
    Set<String> missing = new TreeSet<>();
    API.forEach(type -> missing.addAll(signatures(type)));
    for (Class<?> type : ATTRIBUTES) {
      methods(type).filter(m -> !columns.contains(m.getName())).forEach(m -> missing.add(text(m)));
      methods(type)
          .filter(m -> Modifier.isStatic(m.getModifiers()))
          .forEach(m -> missing.add(text(m)));
    }
    missing.removeAll(called);
    missing.removeAll(HANDLES);
    missing.removeAll(OVERLOADS);

    assertThat(missing).as("public operations that the guard does not count").isEmpty();
  }

  @Test
  void eachException_namesAnExistingMethod_thatIsNotCounted() {
    Set<String> all =
        Stream.of(API, ATTRIBUTES)
            .flatMap(List::stream)
            .flatMap(type -> signatures(type).stream())
            .collect(Collectors.toSet());

    assertThat(all).containsAll(HANDLES).containsAll(OVERLOADS);
    assertThat(called())
        .doesNotContainAnyElementsOf(HANDLES)
        .doesNotContainAnyElementsOf(OVERLOADS);
  }

  /** Returns the methods that the operations call. Constructors only prepare operations. */
  private static Set<String> called() {
    JavaClasses operations =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(Operation.class.getPackageName());
    return operations.stream()
        .flatMap(c -> c.getCodeUnits().stream())
        .filter(unit -> !(unit instanceof JavaConstructor))
        .flatMap(PublicOperationsTest::calls)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<String> calls(JavaCodeUnit unit) {
    return unit.getMethodCallsFromSelf().stream()
        .map(JavaMethodCall::getTarget)
        .map(
            target ->
                text(
                    target.getOwner().getSimpleName(),
                    target.getName(),
                    target.getRawParameterTypes().stream().map(t -> t.getSimpleName())));
  }

  private static Set<String> names(List<Class<?>> types) {
    return types.stream()
        .flatMap(PublicOperationsTest::methods)
        .map(Method::getName)
        .collect(Collectors.toSet());
  }

  private static Set<String> signatures(Class<?> type) {
    return methods(type).map(PublicOperationsTest::text).collect(Collectors.toSet());
  }

  private static Stream<Method> methods(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(m -> Modifier.isPublic(m.getModifiers()) && !m.isSynthetic())
        .filter(m -> !m.getName().equals("toString"));
  }

  private static String text(Method method) {
    return text(
        method.getDeclaringClass().getSimpleName(),
        method.getName(),
        Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName));
  }

  private static String text(String type, String method, Stream<String> parameters) {
    return type + "." + method + parameters.collect(Collectors.joining(", ", "(", ")"));
  }
}
