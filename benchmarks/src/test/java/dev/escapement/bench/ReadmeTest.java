package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README promises code that compiles. */
class ReadmeTest {

    private static final Path README = Path.of("..", "README.md");
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\\R(.*?)```", Pattern.DOTALL);

    @Test
    void shouldShowCodeThatCompiles(@TempDir Path classes) throws Exception {
        List<String> blocks = new ArrayList<>();
        Matcher matcher = JAVA_BLOCK.matcher(Files.readString(README));
        while (matcher.find()) {
            blocks.add(matcher.group(1));
        }
        assertThat(blocks).isNotEmpty();
        for (int i = 0; i < blocks.size(); i++) {
            assertCompiles("Readme" + i, blocks.get(i), classes);
        }
    }

    /** What the README's reader brings along: a pile, a window, a renderer and what those have. */
    private static String asProgram(String name, String block) {
        return """
                import dev.escapement.physics.*;
                import dev.escapement.physics.jolt.*;
                import dev.escapement.physics.loop.*;
                import dev.escapement.physics.scene.*;
                import dev.escapement.render.*;
                import dev.escapement.render.interpolation.*;
                import dev.escapement.state.capture.*;
                import dev.escapement.state.event.*;
                import dev.escapement.state.snapshot.*;
                import dev.escapement.state.time.*;
                import java.nio.FloatBuffer;
                import java.util.concurrent.CompletableFuture;

                class %s {
                    interface Window { boolean shouldClose(); }
                    interface Renderer { void draw(PoseBlocks poses); }
                    record Hit() {}
                    static class Pile {
                        Hit rayCast() { return new Hit(); }
                        boolean explode() { return true; }
                        boolean add(long id) { return true; }
                        boolean push(long id) { return true; }
                    }
                    interface Sounds { void thud(long body, float x, float y, float z); void skip(long missed); }
                    interface Scene { void add(long body, long entity); void remove(long body); }

                    PhysicsService physics;
                    Pile world;
                    Scene scene;
                    Sounds sounds;
                    FrameView view;
                    InstanceBuffer buffer;
                    PoseWriter poses;
                    long entityNumber, other;
                    int slot;
                    float x, y, z, qx, qy, qz, qw;
                    double cameraX, cameraY, cameraZ;
                    static void log(Object what) {}

                    void run(BoxPile pile, Window window, Renderer renderer) {
                %s
                    }
                }
                """.formatted(name, block);
    }

    private static void assertCompiles(String name, String block, Path classes) {
        JavaFileObject source =
                new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return asProgram(name, block);
                    }
                };
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        List<String> options =
                List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none");
        boolean compiled = compiler.getTask(null, null, diagnostics, options, null, List.of(source))
                .call();
        assertThat(compiled)
                .as(() -> diagnostics.getDiagnostics().stream()
                        .map(diagnostic -> diagnostic.getMessage(Locale.ROOT))
                        .toList()
                        .toString())
                .isTrue();
    }
}
