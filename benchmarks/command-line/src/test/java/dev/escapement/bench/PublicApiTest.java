package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares what callers of each published module can compile against with the module's {@code api.txt}, so that a review shows each change
 * of the API. With {@code -Dapi.write=true} (.ci/api) the test writes the files first. A new module must be added to the test's class path.
 */
class PublicApiTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern EXPORTED_TO_ALL = Pattern.compile("^ *exports ([\\w.]+);", Pattern.MULTILINE);
    private static final Pattern MODULE = Pattern.compile("<module>(.*)</module>");

    /** Methods of Object. A class that overrides one of them does not change what callers can call. */
    private static final Set<String> OF_OBJECT = Set.of("equals[class java.lang.Object]", "hashCode[]", "toString[]");

    @ParameterizedTest
    @MethodSource("publishedModules")
    void shouldBeListed(Path module) throws Exception {
        List<String> api = api(module);
        Path file = module.resolve("api.txt");
        if (Boolean.getBoolean("api.write")) {
            Files.write(file, api);
        }
        List<String> listed = Files.exists(file) ? Files.readAllLines(file) : List.of();
        assertThat(api)
                .as("The API; if the change is meant, write api.txt with .ci/api and commit it")
                .isNotEmpty()
                .containsExactlyElementsOf(listed);
    }

    private static List<String> found(Pattern pattern, Path file) throws IOException {
        return pattern.matcher(Files.readString(file))
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    static List<Path> publishedModules() throws IOException {
        List<Path> published = new ArrayList<>();
        for (String name : found(MODULE, ROOT.resolve("pom.xml"))) {
            Path module = ROOT.resolve(name);
            if (Files.exists(module.resolve("src/main/java"))
                    && !Files.readString(module.resolve("pom.xml")).contains("<maven.deploy.skip>true<")) {
                published.add(module);
            }
        }
        return published;
    }

    private static List<String> api(Path module) throws IOException, ClassNotFoundException {
        Path sources = module.resolve("src/main/java");
        Path descriptor = sources.resolve("module-info.java");
        Set<String> names = new TreeSet<>();
        try (Stream<Path> files = Files.walk(sources)) {
            files.map(file -> sources.relativize(file).toString())
                    .filter(file -> file.endsWith(".java") && !file.endsWith("-info.java"))
                    .forEach(file -> names.add(file.replace(".java", "").replaceAll("[/\\\\]", ".")));
        }
        if (Files.exists(descriptor)) {
            List<String> exported = found(EXPORTED_TO_ALL, descriptor);
            names.removeIf(name -> !exported.contains(name.substring(0, name.lastIndexOf('.'))));
        }
        List<String> lines = new ArrayList<>();
        for (String name : names) {
            Class<?> type = Class.forName(name, false, PublicApiTest.class.getClassLoader());
            if (Modifier.isPublic(type.getModifiers())) {
                addLines(type, lines);
            }
        }
        return lines;
    }

    private static void addLines(Class<?> type, List<String> lines) {
        Set<String> members = new TreeSet<>();
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (isVisible(constructor, type)) {
                members.add(signature(constructor, " " + type.getName() + "(", " new("));
            }
        }
        addMembers(type, type, new HashSet<>(OF_OBJECT), members);
        lines.add(type.getName() + ": " + declaration(type));
        members.forEach(member -> lines.add(type.getName() + ": " + member));
        Stream.of(type.getDeclaredClasses())
                .filter(nested -> isVisible(nested.getModifiers(), type))
                .sorted((a, b) -> a.getName().compareTo(b.getName()))
                .forEach(nested -> addLines(nested, lines));
    }

    private static String declaration(Class<?> type) {
        boolean hasPermitted = type.isSealed() && !type.isEnum();
        // Callers do not see the modifiers that Java prints for an enum, which depend on the bodies of its constants.
        // Only newer JDKs print 'sealed'.
        return type.toGenericString()
                        .replaceFirst(" " + Pattern.quote(type.getName()), "")
                        .replaceAll(type.isEnum() ? "\\b(final|abstract|(non-)?sealed) " : "\\b(non-)?sealed ", "")
                + list(" extends ", supertypes(type))
                + list(" permits ", hasPermitted ? Stream.of(type.getPermittedSubclasses()) : Stream.of());
    }

    private static Stream<Type> supertypes(Class<?> type) {
        Stream<Type> own =
                Stream.concat(Stream.ofNullable(type.getGenericSuperclass()), Stream.of(type.getGenericInterfaces()));
        return Stream.concat(own, hiddenSupertypes(type).flatMap(PublicApiTest::supertypes));
    }

    private static Stream<Class<?>> hiddenSupertypes(Class<?> type) {
        return Stream.concat(Stream.ofNullable(type.getSuperclass()), Stream.of(type.getInterfaces()))
                .filter(above -> above.getName().startsWith("dev.escapement."))
                .filter(above -> !Modifier.isPublic(above.getModifiers()));
    }

    /**
     * Adds the visible members of {@code from} to those of the public {@code type}. Members that a type inherits from hidden supertypes
     * count as its own, unless it overrides them.
     */
    private static void addMembers(Class<?> from, Class<?> type, Set<String> overridden, Set<String> members) {
        for (Field field : from.getDeclaredFields()) {
            if (isVisible(field, type)) {
                members.add(field.toGenericString().replace(from.getName() + "." + field.getName(), field.getName()));
            }
        }
        for (Method method : from.getDeclaredMethods()) {
            if (isVisible(method, type)
                    && overridden.add(method.getName() + Arrays.toString(method.getParameterTypes()))) {
                String name = method.getName() + "(";
                members.add(signature(method, from.getName() + "." + name, name));
            }
        }
        hiddenSupertypes(from).forEach(above -> addMembers(above, type, overridden, members));
    }

    private static boolean isVisible(Member member, Class<?> type) {
        return !member.isSynthetic() && isVisible(member.getModifiers(), type);
    }

    private static boolean isVisible(int modifiers, Class<?> type) {
        return Modifier.isPublic(modifiers)
                || (Modifier.isProtected(modifiers) && !Modifier.isFinal(type.getModifiers()));
    }

    private static String signature(Executable member, String fullName, String name) {
        return member.toGenericString()
                        .replace(fullName, name)
                        .replaceFirst(" throws .*", "")
                        .replaceAll("\\b(synchronized|native) ", "")
                + list(" throws ", Stream.of(member.getGenericExceptionTypes()));
    }

    private static String list(String word, Stream<? extends Type> types) {
        String names = types.map(Type::getTypeName)
                .filter(name -> !name.equals("java.lang.Object"))
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "" : word + names;
    }
}
