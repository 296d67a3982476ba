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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The README and the recipes promise code that compiles. */
class ReadmeTest {

    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\\R(.*?)```", Pattern.DOTALL);

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "render-thread/docs/recipes.md"})
    void shouldShowCodeThatCompiles(String page, @TempDir Path classes) throws Exception {
        List<String> blocks = new ArrayList<>();
        Matcher matcher = JAVA_BLOCK.matcher(Files.readString(Path.of("..").resolve(page)));
        while (matcher.find()) {
            blocks.add(matcher.group(1));
        }
        assertThat(blocks).isNotEmpty();
        for (int i = 0; i < blocks.size(); i++) {
            assertCompiles("Readme" + i, blocks.get(i), classes);
        }
    }

    /** What the reader brings along: worlds of engines, a window, a renderer and what those have. */
    private static String asProgram(String name, String block) {
        return """
                import com.badlogic.gdx.graphics.g3d.Environment;
                import com.badlogic.gdx.graphics.g3d.Model;
                import com.badlogic.gdx.graphics.g3d.ModelBatch;
                import com.badlogic.gdx.graphics.g3d.ModelInstance;
                import com.github.stephengold.joltjni.JobSystem;
                import com.github.stephengold.joltjni.PhysicsSystem;
                import com.github.stephengold.joltjni.TempAllocator;
                import com.jme3.app.state.AppStateManager;
                import com.jme3.bullet.PhysicsSpace;
                import com.jme3.bullet.objects.PhysicsRigidBody;
                import com.jme3.scene.Node;
                import com.jme3.scene.Spatial;
                import com.jme3.scene.control.Control;
                import dev.escapement.physics.*;
                import dev.escapement.physics.bullet.*;
                import dev.escapement.physics.jolt.*;
                import dev.escapement.physics.command.*;
                import dev.escapement.physics.replay.*;
                import dev.escapement.physics.loop.*;
                import dev.escapement.render.*;
                import dev.escapement.render.interpolation.*;
                import dev.escapement.render.jme.*;
                import dev.escapement.render.libgdx.*;
                import dev.escapement.state.capture.*;
                import dev.escapement.state.event.*;
                import dev.escapement.state.input.*;
                import dev.escapement.state.snapshot.*;
                import dev.escapement.state.time.*;
                import java.nio.FloatBuffer;
                import java.nio.file.Path;
                import java.util.concurrent.CompletableFuture;
                import java.util.concurrent.atomic.AtomicReference;
                import org.joml.Matrix4f;
                import org.joml.Vector3f;

                class %s {
                    interface MouseListener { void moved(long nanos, float right, float down); }
                    interface Window { boolean shouldClose(); void onMouseMoved(MouseListener listener); }
                    interface Renderer {
                        void draw(PoseBlocks poses);
                        void draw(FloatBuffer instances);
                        void draw(Matrix4f worldToCamera, FloatBuffer instances);
                    }
                    record Hit() {}
                    static class Pile {
                        Hit rayCast() { return new Hit(); }
                        boolean explode() { return true; }
                        boolean add(long id) { return true; }
                        boolean push(long id) { return true; }
                    }
                    interface Sounds { void thud(long body, float x, float y, float z); void skip(long missed); }
                    record Look(float yaw, float pitch) {}
                    interface Player { void turnTo(float yaw, float pitch); void addControl(Control control); }
                    interface Scene { void add(long body, long entity); void remove(long body); }

                    PhysicsService physics;
                    PhysicsSystem system;
                    TempAllocator allocator;
                    JobSystem jobs;
                    BulletWorldSimulation simulation, madeAlike;
                    PhysicsRigidBody crate;
                    PhysicsRigidBody makeBarrel(PhysicsSpace space) { return crate; }
                    static final long CRATE = 1, BARREL = 2;
                    com.jme3.math.Vector3f up;
                    Node rootNode;
                    Spatial crateModel;
                    AppStateManager stateManager;
                    long playerBody;
                    Model crateMesh;
                    ModelBatch batch;
                    Environment environment;
                    Pile world;
                    Scene scene;
                    Sounds sounds;
                    FrameView view;
                    InstanceBuffer buffer;
                    PoseWriter poses;
                    long userData, other, seed;
                    Path file;
                    int slot;
                    float x, y, z, qx, qy, qz, qw;
                    double cameraX, cameraY, cameraZ;
                    Vector3f eye, target;
                    Matrix4f worldToCamera;
                    long nowNanos, displayNanos, previousDisplayNanos;
                    final AtomicReference<Look> look = new AtomicReference<>(new Look(0, 0));
                    static final float RADIANS_A_COUNT = 0.001f;
                    static final int LOOK = 1;
                    Player player;
                    Tick tick;
                    static void log(Object what) {}

                    void run(Window window, Renderer renderer) throws Exception {
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
