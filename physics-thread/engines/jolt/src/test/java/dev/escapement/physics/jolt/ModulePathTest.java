package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.net.URL;
import java.net.URLClassLoader;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a game with all jars on the module path, except the jar of the native library. */
class ModulePathTest {

    private static final Pattern MODULE_NAME = Pattern.compile("<Automatic-Module-Name>(.*)</Automatic-Module-Name>");

    /** Selects the modules of a game, without those that only tests need. */
    private static final Pattern MODULES =
            Pattern.compile(".*/(shared-state|physics-thread|worlds)/target/(classes|[\\w.-]+\\d\\.jar)"
                    + "|.*/(escapement-(shared-state|physics-thread|worlds)|jolt-jni-\\w+|disruptor|jctools[\\w-]*"
                    + "|jspecify)-[\\d.]+\\.jar");

    @TempDir
    Path folder;

    @Test
    void shouldFindTheNativeLibraryOnTheClassPath() throws Exception {
        List<URL> natives = new ArrayList<>();
        List<Path> modules = new ArrayList<>(List.of(jarOf(Path.of(""))));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (entry.endsWith("-ReleaseSp.jar")) {
                natives.add(Path.of(entry).toUri().toURL());
            } else if (MODULES.matcher(entry.replace('\\', '/')).matches()) {
                modules.add(Path.of(entry));
            }
        }
        ModuleFinder finder = ModuleFinder.of(modules.toArray(Path[]::new));
        List<String> names = finder.findAll().stream()
                .map(module -> module.descriptor().name())
                .toList();
        ModuleLayer jvm = ModuleLayer.boot();
        Configuration game = jvm.configuration().resolve(finder, ModuleFinder.of(), names);
        try (URLClassLoader classPath =
                new URLClassLoader(natives.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            ClassLoader loader =
                    jvm.defineModulesWithOneLoader(game, classPath).findLoader("dev.escapement.physics.jolt");
            Class<?> simulation = loader.loadClass(JoltWorldSimulation.class.getName());
            assertThat(simulation).isNotSameAs(JoltWorldSimulation.class);
            assertThat(simulation.getMethod("version").invoke(null)).isEqualTo(JoltWorldSimulation.version());
        }
    }

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
