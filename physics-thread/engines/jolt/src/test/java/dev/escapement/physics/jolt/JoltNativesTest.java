package dev.escapement.physics.jolt;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.escapement.physics.platform.NativeResource;
import dev.escapement.state.ChildJvm;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URLClassLoader;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JoltNativesTest {

    /** Java 24 and newer would warn without it. */
    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "linux amd64,   jolt-jni-Linux64,      /linux/x86-64/com/github/stephengold/libjoltjni.so",
        "windows amd64, jolt-jni-Windows64,    /windows/x86-64/com/github/stephengold/joltjni.dll",
        "windows aarch64, jolt-jni-Windows_ARM64, /windows/aarch64/com/github/stephengold/joltjni.dll",
        "macos aarch64, jolt-jni-MacOSX_ARM64, /osx/aarch64/com/github/stephengold/libjoltjni.dylib",
    })
    void eachPlatformHasItsArtifactAndItsFile(String platform, String artifact, String resource) {
        NativeResource library = JoltNatives.library(platform, "7.0.1:DebugDp");
        assertThat(library.coordinates()).isEqualTo("com.github.stephengold:" + artifact + ":7.0.1:DebugDp");
        assertThat(library.path()).isEqualTo(resource);
    }

    /** A parent of Escapement's class loader has loaded the library. A second copy in the JVM would not know the objects of the first. */
    @Test
    void shouldUseALibraryThatTheGameHasLoaded() throws Exception {
        Path file = folder.resolve("jolt.so");
        NativeResource library = JoltNatives.library(NativeResource.runningPlatform(), JoltNatives.RELEASE);
        try (InputStream in = getClass().getResourceAsStream(library.path())) {
            Files.copy(in, file);
        }
        try (URLClassLoader game = GameLoaders.loader(
                        entry -> GameLoaders.isBinding(entry) || entry.contains("test-classes"),
                        ClassLoader.getPlatformClassLoader());
                URLClassLoader escapement = GameLoaders.loader(entry -> !entry.contains("test-classes"), game)) {
            game.loadClass(GameThatLoads.class.getName())
                    .getConstructor(String.class)
                    .newInstance(file.toString());
            escapement.loadClass(JoltNatives.class.getName()).getMethod("load").invoke(null);
        }
    }

    /** Loads a library: System.load links it to the class loader of its caller. */
    public static final class GameThatLoads {

        public GameThatLoads(String file) {
            System.load(file);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "binding in the parent    | fell, binding elsewhere",
                "Escapement in the parent | fell, Escapement elsewhere",
                "child first, nested jars | fell fell",
                "reload                   | fell collected fell collected",
            })
    void aBoxFallsWhateverTheClassLoaders(String loaders, String printed) throws Exception {
        String output = ChildJvm.output(NATIVE_ACCESS, GameLoaders.class, loaders);
        assertThat(output.replace("\n", " ").replace("\r", "")).isEqualTo(printed);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-Dos.arch=riscv64 | it    | Jolt has no native library for linux riscv64: use linux amd64, linux aarch64, windows amd64,"
                        + " windows aarch64, macos amd64, macos aarch64",
                "-Dos.arch=amd64   | musl  | Jolt has no native library for linux-musl amd64: use linux amd64, linux aarch64,"
                        + " windows amd64, windows aarch64, macos amd64, macos aarch64; a Linux with glibc, unlike Alpine",
                NATIVE_ACCESS
                        + " | glibc | Jolt's native library needs GLIBC_9, which this Linux is too old to have: use a newer one",
            })
    @EnabledOnOs(OS.LINUX)
    void aPlatformWithoutALibraryIsNamedAtEachAttempt(String option, String libc, String sentence) throws Exception {
        assertThat(ChildJvm.output(option, Attempts.class, libc + " " + folder).lines())
                .containsExactly(sentence, sentence);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "noexec   | loaded from | failed to map segment from shared object",
                "ro       | copied to   | Read-only file system",
                "size=64k | copied to   | No space left on device",
            })
    @EnabledOnOs(OS.LINUX)
    void aFolderThatHoldsNoLibraryIsNamedAtEachAttempt(String mount, String what, String cause) throws Exception {
        String mounted = "mount -t tmpfs -o " + mount + " tmpfs " + folder + " && ";
        assumeTrue(run(mounted + "true").isEmpty(), "no file system can be mounted here, not even in a user namespace");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String output = run(mounted + java + " " + NATIVE_ACCESS + " -XX:-UsePerfData -Djava.io.tmpdir=" + folder
                + " -cp " + System.getProperty("java.class.path") + " '" + Attempts.class.getName() + "' it && ls "
                + folder);
        String sentence =
                "Jolt's native library could not be " + what + " " + folder + " (" + cause + "): the folder must"
                        + " exist, be writable, have room and allow execution (not noexec); set another by -Djava.io.tmpdir=FOLDER";
        assertThat(output.lines()).as("no copy is left").containsExactly(sentence, sentence);
    }

    /** Runs a command that may mount file systems, which only the command sees. */
    private static String run(String command) throws IOException {
        Process process = new ProcessBuilder("unshare", "-rm", "sh", "-c", command)
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Loads Jolt's library twice, and prints each refusal. A program for a JVM of its own. */
    static final class Attempts {

        public static void main(String[] args) throws Exception {
            String[] words = args[0].split(" ", -1);
            switch (words[0]) {
                case "musl" -> {
                    Path libc = Files.writeString(
                            Path.of(words[1], "ld-musl-x86_64.so.1"), "mapped, as by a process of Alpine");
                    try (FileChannel file = FileChannel.open(libc)) {
                        MappedByteBuffer mapped = file.map(FileChannel.MapMode.READ_ONLY, 0, 1);
                        attempt(Attempts.class.getClassLoader());
                        mapped.get(); // it is mapped until here
                    }
                }
                case "glibc" -> attempt(withNewerLibrary(Path.of(words[1])));
                default -> attempt(Attempts.class.getClassLoader());
            }
        }

        private static void attempt(ClassLoader loader) throws Exception {
            for (int attempt = 0; attempt < 2; attempt++) {
                try {
                    loader.loadClass(JoltNatives.class.getName())
                            .getMethod("load")
                            .invoke(null);
                } catch (InvocationTargetException e) {
                    String sentence =
                            String.valueOf(requireNonNull(e.getCause()).getMessage());
                    System.out.println(sentence.replaceAll("(GLIBC_9)[.0-9]+", "$1"));
                }
            }
        }

        /** Returns a loader whose library of Jolt needs a glibc that does not exist yet. */
        private static ClassLoader withNewerLibrary(Path folder) throws IOException {
            String path = JoltNatives.library(NativeResource.runningPlatform(), JoltNatives.RELEASE)
                    .path();
            try (InputStream in = Attempts.class.getResourceAsStream(path)) {
                String library = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
                Path newer = folder.resolve(path.substring(1));
                Files.createDirectories(newer.getParent());
                Files.writeString(newer, library.replace("GLIBC_2", "GLIBC_9"), StandardCharsets.ISO_8859_1);
            }
            return GameLoaders.loader(folder);
        }
    }
}
