package dev.escapement.bench;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.Formatters;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.junit.ArchTest;
import dev.escapement.physics.jolt.JoltBinding;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Compares the library's references to jolt-jni with the signatures of its versions, in {@code jolt-jni.txt}, which was read from the
 * sources of each version, because only one of them is on the class path. {@link ArchitectureTest} runs it with the classes that it has
 * read.
 */
class JoltVersionsTest {

    private static final String BINDING = "com.github.stephengold.joltjni.";
    private static final List<String> VERSIONS = JoltBinding.KNOWN_VERSIONS;

    /** The versions that have a signature, by the signature. */
    static final Map<String, Set<String>> KNOWN = read();

    @ArchTest
    static void shouldReferOnlyToWhatAllVersionsHave(JavaClasses classes) {
        Set<String> references = new TreeSet<>();
        classes.that(resideInAnyPackage("dev.escapement.physics.jolt..", "dev.escapement.bench.."))
                .forEach(ours -> addReferences(ours, references));
        assertThat(references).hasSizeGreaterThan(100);
        for (String reference : references) {
            assertThat(KNOWN)
                    .as("look up in jolt-jni's sources which versions have it")
                    .containsKey(reference);
            assertThat(KNOWN.get(reference))
                    .as(reference + " is not in all versions: call it through JoltBinding, or not at all")
                    .containsAll(VERSIONS);
        }
    }

    private static void addReferences(JavaClass ours, Set<String> references) {
        Set<String> all = new TreeSet<>();
        for (Dependency dependency : ours.getDirectDependenciesFromSelf()) {
            all.add(name(dependency.getTargetClass()).replace("[]", ""));
        }
        for (var access : ours.getCodeUnitAccessesFromSelf()) {
            CodeUnitAccessTarget target = access.getTarget();
            String parameters = target.getRawParameterTypes().stream()
                    .map(JoltVersionsTest::name)
                    .collect(Collectors.joining(", ", "(", ")"));
            boolean made = target.getName().equals(JavaConstructor.CONSTRUCTOR_NAME);
            all.add(target.getOwner().getName()
                    + (made
                            ? ".new" + parameters
                            : "." + target.getName() + parameters + " " + name(target.getRawReturnType())));
        }
        for (JavaFieldAccess access : ours.getFieldAccessesFromSelf()) {
            all.add(access.getTarget().getFullName() + " "
                    + name(access.getTarget().getRawType()));
        }
        all.removeIf(reference -> !reference.startsWith(BINDING));
        all.forEach(reference -> references.add(reference.replace(BINDING, "")));
    }

    private static String name(JavaClass type) {
        return Formatters.ensureCanonicalArrayTypeName(type.getName());
    }

    /** Lines of a signature, a colon and ranges of versions such as "0.9.9 to 3.6.0, 4.0.0". */
    private static Map<String, Set<String>> read() {
        Map<String, Set<String>> known = new TreeMap<>();
        for (String line : lines()) {
            if (!line.startsWith("#")) {
                int colon = line.indexOf(": ");
                Set<String> versions = new TreeSet<>();
                for (String range : line.substring(colon + 2).split(", ", -1)) {
                    String[] ends = range.split(" to ", -1);
                    int first = VERSIONS.indexOf(ends[0]);
                    int last = VERSIONS.indexOf(ends[ends.length - 1]);
                    versions.addAll(VERSIONS.subList(first, last + 1));
                }
                known.put(line.substring(0, colon), versions);
            }
        }
        return known;
    }

    private static List<String> lines() {
        try {
            URL file = Objects.requireNonNull(JoltVersionsTest.class.getResource("/jolt-jni.txt"));
            return Files.readAllLines(Path.of(file.toURI()));
        } catch (IOException | URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
