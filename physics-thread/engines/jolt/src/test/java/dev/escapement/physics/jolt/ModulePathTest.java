package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a game in its own module, compiled and started with all jars on the module path. */
class ModulePathTest {

    private static final Pattern MODULE_NAME = Pattern.compile("<Automatic-Module-Name>(.*)</Automatic-Module-Name>");

    /** Selects the modules of a game, without those that only tests need. */
    private static final Pattern MODULES =
            Pattern.compile(".*/(shared-state|physics-thread)/target/(classes|[\\w.-]+\\d\\.jar)"
                    + "|.*/(escapement-(shared-state|physics-thread)|jolt-jni-\\w+|disruptor|jctools[\\w-]*"
                    + "|jspecify)-[\\d.]+\\.jar");

    @TempDir
    Path folder;

    @Test
    void shouldFindTheNativeLibraryOnTheClassPath() throws IOException, InterruptedException {
        String natives = "";
        List<String> modules = new ArrayList<>(List.of(
                jarOf(Path.of("")).toString(),
                jarOf(Path.of("..", "..", "worlds")).toString()));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (entry.endsWith("-ReleaseSp.jar")) {
                natives = entry;
            } else if (MODULES.matcher(entry.replace('\\', '/')).matches()) {
                modules.add(entry);
            }
        }
        Path game = folder.resolve("game");
        String sources = "src/test/modules/";
        int status = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        System.out,
                        System.err,
                        "-proc:none",
                        "-p",
                        String.join(File.pathSeparator, modules),
                        "-d",
                        game.toString(),
                        sources + "module-info.java",
                        sources + "game/Game.java");
        assertThat(status).as("the compiler, see its output").isZero();
        modules.add(game.toString());
        assertThat(run("-p", String.join(File.pathSeparator, modules), "-cp", natives))
                .isEqualTo("bodies: 0 in " + JoltWorldSimulation.version());
    }

    private String run(String... path) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(path));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-m", "game/game.Game"));
        Path output = folder.resolve("output");
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
        List<String> lines = Files.readAllLines(output).stream()
                .filter(line -> !line.startsWith("WARNING: ")) // warnings of newer JDKs about native access
                .toList();
        return String.join("\n", lines).strip();
    }

    /** Packs a module into a jar, as the build does. */
    private Path jarOf(Path module) throws IOException {
        Matcher name = MODULE_NAME.matcher(Files.readString(module.resolve("pom.xml")));
        assertThat(name.find()).as("a name in pom.xml").isTrue();
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Automatic-Module-Name", name.group(1));
        Path classes = module.resolve(Path.of("target", "classes"));
        Path jar = folder.resolve(name.group(1) + ".jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                entries.putNextEntry(
                        new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
                Files.copy(file, entries);
            }
        }
        return jar;
    }
}
