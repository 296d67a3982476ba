package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.github.stephengold.joltjni.Jolt;
import dev.escapement.state.Logged;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Links the adapter's class files to the versions of jolt-jni, by the {@link JoltListing} of what each version has. */
class JoltLinkageTest {

    private static final JoltListing LISTING = JoltListing.read();

    static List<String> versions() {
        return LISTING.versions;
    }

    @ParameterizedTest
    @MethodSource("versions")
    void everyVersionHasAllThatTheAdapterCalls(String version) {
        assertThat(LISTING.of(version)).containsAll(JoltListing.needs());
    }

    @ParameterizedTest
    @MethodSource("versions")
    void everyVersionHasOneVariantOfEachCallThatDiffers(String version) {
        Set<String> present = new TreeSet<>();
        LISTING.of(version).forEach(line -> present.add(line.substring(line.indexOf(' ') + 1)));
        for (List<String> call : JoltCalls.variants()) {
            assertThat(call.stream()
                            .filter(variant ->
                                    present.contains(JoltMember.of(variant).toString())))
                    .as("%s in %s", call, version)
                    .hasSize(1);
        }
    }

    @Test
    void theListingIsRightForTheVersionOnTheClassPath() {
        JoltNatives.load();
        Set<String> present = new TreeSet<>(JoltListing.needs());
        present.addAll(JoltListing.variants(getClass().getClassLoader()));
        assertThat(LISTING.of(Jolt.versionString())).isEqualTo(present);
        assertThat(LISTING.versions).startsWith(JoltNatives.OLDEST).endsWith(JoltNatives.NEWEST);
    }

    @Test
    void allClassesThatCallTheBindingAreChecked() throws IOException {
        Set<String> callers = new TreeSet<>();
        Path classes = Path.of("target", "classes", "dev", "escapement", "physics", "jolt");
        try (Stream<Path> files = Files.list(classes)) {
            files.map(file -> file.getFileName().toString().replace(".class", ""))
                    .filter(name -> !JoltMember.referredBy(name).isEmpty())
                    .forEach(callers::add);
        }
        assertThat(JoltNatives.CALLERS).containsExactlyElementsOf(callers);
    }

    /** A newer version that no test has linked, in which a method has another name. */
    @Test
    void aNewerVersionThatLacksACallIsRefusedByItsName() {
        assertThatIllegalStateException()
                .isThrownBy(() -> new Altered("PhysicsSystem", "optimizeBroadPhase", "optimize").check("7.1.0"))
                .withMessage(
                        "jolt-jni 7.1.0 lacks PhysicsSystem.optimizeBroadPhase()V, which Escapement's adapter calls; depend"
                                + " on a version from 0.9.9 to 6.0.0, the same for the classes and the native library");
    }

    /** None of the two types that the versions have for a result is there. */
    @Test
    void aVersionWithoutAnyVariantOfACallIsRefusedByItsName() {
        assertThatIllegalStateException()
                .isThrownBy(() -> new Altered("PhysicsSystem", "init", "initialize").check("6.0.0"))
                .withMessageStartingWith("jolt-jni 6.0.0 lacks PhysicsSystem.init(IIIILreadonly/ConstBroadPhaseLayer")
                .withMessageContaining(")V, which Escapement's adapter calls;");
    }

    @Test
    void aNewerVersionThatHasAllCallsIsAcceptedWithAWarning() throws Exception {
        try (Logged logged = new Logged("physics")) {
            new Altered("PhysicsSystem", "init", "init").check("7.1.0");
            new Altered("PhysicsSystem", "init", "init").check("3.4.0");
            assertThat(logged.records)
                    .singleElement()
                    .extracting(LogRecord::getMessage)
                    .asString()
                    .startsWith("jolt-jni 7.1.0 has all calls");
        }
    }

    /** Loads the adapter and the binding again, where a method of the binding has another name. */
    private static final class Altered extends ClassLoader {

        private static final String BINDING = "com.github.stephengold.joltjni.";
        private static final String ADAPTER = JoltNatives.class.getPackageName();

        private final String altered;
        private final String name;
        private final String newName;

        Altered(String altered, String name, String newName) {
            super(JoltLinkageTest.class.getClassLoader());
            this.altered = BINDING + altered;
            this.name = name;
            this.newName = newName;
        }

        void check(String version) throws Exception {
            Method check = loadClass(JoltNatives.class.getName())
                    .getDeclaredMethod("requireMembers", String.class, ClassLoader.class);
            check.setAccessible(true);
            try {
                check.invoke(null, version, this);
            } catch (InvocationTargetException e) {
                throw (Exception) e.getCause();
            }
        }

        @Override
        protected Class<?> loadClass(String of, boolean resolve) throws ClassNotFoundException {
            if (!of.startsWith(BINDING) && !of.startsWith(ADAPTER)) {
                return super.loadClass(of, resolve);
            }
            synchronized (getClassLoadingLock(of)) {
                Class<?> loaded = findLoadedClass(of);
                return loaded != null ? loaded : findClass(of);
            }
        }

        @Override
        protected Class<?> findClass(String of) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(of.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(of);
                }
                // Latin-1 has a character for each byte. A name in a class file follows its length.
                String file = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
                byte[] bytes = (of.equals(altered) ? file.replace(constant(name), constant(newName)) : file)
                        .getBytes(StandardCharsets.ISO_8859_1);
                return defineClass(of, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(of, e);
            }
        }

        private static String constant(String text) {
            return "\0" + (char) text.length() + text;
        }
    }
}
