package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.render.FrameView;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.TickRate;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.Configuration;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.module.ResolvedModule;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that our modules fit into an image of jlink, which takes no automatic module. */
class ImageTest {

    /** All modules with a descriptor. Engines, backends, devices and what needs Aeron have automatic names. */
    private static final List<String> WITH_DESCRIPTOR = List.of(
            "dev.escapement.state",
            "dev.escapement.transport.wire",
            "dev.escapement.transport.udp",
            "dev.escapement.physics",
            "dev.escapement.physics.host",
            "dev.escapement.physics.replay",
            "dev.escapement.physics.worlds",
            "dev.escapement.render",
            "dev.escapement.render.tools");

    /** Resolution refuses a module that is automatic, because it is not on the path, and a package that two modules have. */
    @Test
    void shouldRequireNothingAutomatic() {
        assertThatCode(() -> resolve(WITH_DESCRIPTOR)).doesNotThrowAnyException();
        assertThat(resolve(WITH_DESCRIPTOR))
                .extracting(ResolvedModule::name)
                .containsAll(WITH_DESCRIPTOR)
                .contains("org.joml", "com.lmax.disruptor");
    }

    @Test
    void shouldRunAWorldInASmallImage(@TempDir Path folder) throws Exception {
        Optional<ToolProvider> jlink = ToolProvider.findFirst("jlink");
        boolean hasModules = Files.exists(Path.of(System.getProperty("java.home"), "jmods"))
                || Runtime.version().feature() >= 24;
        assumeTrue(jlink.isPresent() && hasModules, "this JDK has no jlink or, before 24, no folder jmods");
        String image = folder.resolve("image").toString();
        List<String> modules = List.of("dev.escapement.physics", "dev.escapement.render");
        String path = resolve(modules).stream()
                .flatMap(module -> module.reference().location().stream())
                .filter(location -> location.getScheme().equals("file"))
                .map(location -> Path.of(location).toString())
                .collect(Collectors.joining(File.pathSeparator));
        StringWriter printed = new StringWriter();
        PrintWriter out = new PrintWriter(printed);
        String options = "--strip-java-debug-attributes --no-header-files --no-man-pages --add-modules=";
        List<String> arguments = new ArrayList<>(List.of((options + String.join(",", modules)).split(" ")));
        arguments.addAll(List.of("--module-path", path, "--output", image));
        assertThat(jlink.get().run(out, out, arguments.toArray(String[]::new)))
                .as(printed.toString())
                .isZero();
        URL classes = Main.class.getProtectionDomain().getCodeSource().getLocation();
        Process process = new ProcessBuilder(
                        Path.of(image, "bin", "java").toString(),
                        "-cp",
                        Path.of(classes.toURI()).toString(),
                        Main.class.getName())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualToIgnoringNewLines("a body at x = 5.0, in com.lmax.disruptor, dev.escapement.physics,"
                        + " dev.escapement.render, dev.escapement.state, java.base, org.jctools.core,"
                        + " org.jctools.core.jdk11, org.joml");
        assertThat(process.waitFor()).isZero();
        try (Stream<Path> files = Files.walk(Path.of(image))) {
            System.out.printf(
                    Locale.ROOT,
                    "An image of java.base, state, physics and render on JDK %d has %.1f MB%n",
                    Runtime.version().feature(),
                    files.map(Path::toFile)
                                    .filter(File::isFile)
                                    .mapToLong(File::length)
                                    .sum()
                            / 1e6);
        }
    }

    /** Returns the modules with these names and all that they require: of the JDK and, if they have descriptors, of the class path. */
    private static Set<ResolvedModule> resolve(List<String> names) {
        Path[] modules = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .filter(ImageTest::hasDescriptor)
                .toArray(Path[]::new);
        ModuleFinder finder = ModuleFinder.compose(ModuleFinder.of(modules), ModuleFinder.ofSystem());
        return Configuration.empty().resolve(finder, ModuleFinder.of(), names).modules();
    }

    private static boolean hasDescriptor(Path entry) {
        try {
            Set<ModuleReference> modules = ModuleFinder.of(entry).findAll();
            return modules.size() == 1
                    && !modules.iterator().next().descriptor().isAutomatic();
        } catch (FindException badName) { // of a jar without a descriptor
            return false;
        }
    }

    /** Runs in the image, with only the classes of the tests beside it. */
    static final class Main {

        /** One body that stands. */
        private static final class Standing implements Simulation {

            private boolean isSpawned;

            @Override
            public void step(Tick tick) {}

            @Override
            public void capture(PoseWriter poses) {
                if (!isSpawned) {
                    poses.spawn(0);
                    isSpawned = true;
                }
                poses.set(0, 5, 0, 0, 0, 0, 0, 1);
            }
        }

        public static void main(String[] args) {
            long body = BodyId.of(0, 1);
            Vector3f position = new Vector3f();
            try (PhysicsService physics = PhysicsService.builder(new Standing())
                            .rate(TickRate.hertz(1000))
                            .start();
                    FrameView view = FrameView.of(physics.newReader())) {
                while (!view.advance(System.nanoTime()) || !view.contains(body)) {
                    Thread.onSpinWait();
                }
                view.position(body, position);
            }
            String modules = ModuleLayer.boot().modules().stream()
                    .map(Module::getName)
                    .sorted()
                    .collect(Collectors.joining(", "));
            System.out.println("a body at x = " + position.x + ", in " + modules);
        }
    }
}
