package example.platformer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import com.badlogic.gdx.Application;
import com.badlogic.gdx.Audio;
import com.badlogic.gdx.Gdx;
import com.badlogic.gdx.Input;
import com.badlogic.gdx.Input.Keys;
import com.badlogic.gdx.InputAdapter;
import com.badlogic.gdx.InputProcessor;
import com.badlogic.gdx.audio.Sound;
import com.badlogic.gdx.backends.headless.HeadlessFiles;
import com.badlogic.gdx.backends.headless.HeadlessNativesLoader;
import com.badlogic.gdx.backends.headless.mock.graphics.MockGraphics;
import com.badlogic.gdx.graphics.GL20;
import com.badlogic.gdx.utils.GdxRuntimeException;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.render.FrameView;
import dev.escapement.state.time.ManualClock;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import org.joml.Vector3f;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs the whole screen without a display, on a manual clock and without a thread: what it draws, plays and keeps. */
class PlatformerTest {

    private static final int BODIES = 22;

    private final ManualClock clock = new ManualClock(0);
    private final List<InlineDriver> services = new ArrayList<>();

    /** The number of rectangles in each draw call of the last frame: bodies, then the letters. */
    private final List<Integer> rectangles = new ArrayList<>();

    private final List<float[]> thuds = new ArrayList<>(); // volume, pitch, pan
    private int ticks;
    private boolean fails;
    private int dings;
    private int exits;
    private InputProcessor keys = new InputAdapter();
    private Platformer game;

    @BeforeEach
    void open() {
        HeadlessNativesLoader.load();
        Gdx.files = new HeadlessFiles();
        Gdx.graphics = new MockGraphics();
        Gdx.app = fake(Application.class, (self, method, arguments) -> {
            exits += method.getName().equals("exit") ? 1 : 0;
            return null;
        });
        Gdx.input = fake(Input.class, (self, method, arguments) -> {
            if (method.getName().equals("setInputProcessor")) {
                keys = (InputProcessor) arguments[0];
            }
            return null;
        });
        Sound sound = fake(Sound.class, (self, method, arguments) -> {
            if (method.getName().equals("play")) {
                dings += arguments == null ? 1 : 0;
                if (arguments != null) {
                    thuds.add(new float[] {(float) arguments[0], (float) arguments[1], (float) arguments[2]});
                }
            }
            return null;
        });
        Gdx.audio = fake(Audio.class, (self, method, arguments) -> sound);
        Gdx.gl20 = fake(GL20.class, this::draw);
        Gdx.gl = Gdx.gl20;
        game = new Platformer(clock, level -> {
            Simulation rules = new ForwardingSimulation(level) {
                @Override
                public void step(Tick tick) throws Exception {
                    if (fails) {
                        throw new IllegalStateException("deep");
                    }
                    super.step(tick);
                }
            };
            services.add(PhysicsService.builder(rules).inline(clock));
            return service();
        });
    }

    @AfterEach
    void close() {
        game.dispose();
    }

    /** Fakes an OpenGL that compiles every shader and counts the drawn rectangles. */
    private @Nullable Object draw(Object self, Method method, Object[] arguments) {
        switch (method.getName()) {
            case "glGetShaderiv", "glGetProgramiv" -> {
                int what = (int) arguments[1];
                boolean ok = what == GL20.GL_COMPILE_STATUS || what == GL20.GL_LINK_STATUS;
                ((IntBuffer) arguments[2]).put(0, ok ? 1 : 0);
            }
            case "glDrawElements" -> rectangles.add((int) arguments[1] / 6);
            case "glCreateShader", "glCreateProgram", "glGenTexture", "glGenBuffer" -> {
                return 1;
            }
            default -> {}
        }
        return null;
    }

    @Test
    void shouldStandStillWithAPictureInTheFirstMenu() {
        frames(10);
        int before = ticks;
        assertThat(before).as("until the first picture").isLessThan(6);
        frames(20);
        assertThat(ticks).isEqualTo(before);
        assertThat(rectangles).first().isEqualTo(BODIES);
    }

    @Test
    void shouldShowTheNextPictureInAnOpenMenu() {
        takeAGem();
        press(Keys.R);
        press(Keys.ESCAPE);
        frames(20);
        assertThat(rectangles.get(0)).isEqualTo(BODIES);
        int before = ticks;
        frames(20);
        assertThat(ticks).isEqualTo(before);
    }

    @Test
    void shouldStandStillInTheMenuAndEndThere() {
        press(Keys.ENTER);
        frames(50);
        assertThat(rectangles.get(1)).as("letters").isLessThan(20);
        press(Keys.ESCAPE);
        frames(2);
        int before = ticks;
        frames(20);
        assertThat(ticks).isEqualTo(before);
        assertThat(rectangles.get(1)).as("letters").isGreaterThan(50);
        press(Keys.ENTER);
        frames(20);
        assertThat(ticks).isGreaterThan(before);
        press(Keys.ESCAPE);
        assertThat(exits).isZero();
        press(Keys.ESCAPE);
        assertThat(exits).isOne();
    }

    @Test
    void shouldDingForAGemAndKeepTheOldPicture() {
        takeAGem();
        int old = rectangles.get(0);
        assertThat(old).isEqualTo(BODIES - 1);
        assertThat(dings).isOne();
        press(Keys.R);
        for (int frame = 0; frame < 5; frame++) {
            frame();
            assertThat(rectangles.get(0)).isEqualTo(old);
        }
        frames(10);
        assertThat(services).hasSize(2);
        assertThat(rectangles.get(0)).isEqualTo(BODIES);
    }

    @Test
    void shouldGoOnWithHeldKeysAfterARestart() {
        keys.keyDown(Keys.A);
        frames(20);
        press(Keys.R);
        frames(50);
        assertThat(position(0).x).as("of the next service's player").isLessThan(-3);
        keys.keyUp(Keys.A);
        frames(2);
        float x = position(0).x;
        frames(20);
        assertThat(position(0).x).isEqualTo(x);
    }

    @Test
    void shouldSoundAsHardAsThingsFall() {
        press(Keys.ENTER);
        frames(60);
        assertThat(thuds)
                .filteredOn(thud -> thud[1] == 2)
                .first()
                .satisfies(player -> assertThat(player[0])
                        .as("from half a metre, of 10 m/s")
                        .isCloseTo((float) Math.sqrt(2 * 20 * 0.5) / 10, offset(0.04f)));
        assertThat(thuds)
                .filteredOn(thud -> thud[1] == 1)
                .first()
                .satisfies(crate -> assertThat(crate[0])
                        .as("from 2.1 m")
                        .isCloseTo((float) Math.sqrt(2 * 20 * 2.1) / 10, offset(0.04f)));
    }

    @Test
    void shouldTellWhyPhysicsHasFailed() {
        fails = true;
        clock.advance(10_000_000);
        assertThatThrownBy(service()::runDueTicks).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(this::frame)
                .isInstanceOf(GdxRuntimeException.class)
                .hasMessageContaining("physics has failed")
                .hasMessageContaining("deep");
    }

    private void takeAGem() {
        press(Keys.ENTER);
        frames(50);
        keys.keyDown(Keys.A);
        frames(140);
        keys.keyUp(Keys.A);
        keys.keyDown(Keys.W);
        frames(15);
        keys.keyUp(Keys.W);
        keys.keyDown(Keys.D); // moves onto the lowest ledge
        frames(60);
        keys.keyUp(Keys.D);
        frames(2);
    }

    private InlineDriver service() {
        return services.get(services.size() - 1);
    }

    private void press(int key) {
        keys.keyDown(key);
        keys.keyUp(key);
    }

    private void frames(int frames) {
        for (int frame = 0; frame < frames; frame++) {
            clock.advance(10_000_000);
            ticks += service().runDueTicks();
            frame();
        }
    }

    private void frame() {
        rectangles.clear();
        game.render(0.01f);
    }

    private Vector3f position(int slot) {
        try (FrameView view = FrameView.inline(service().newReader())) {
            view.advance(clock.nanoTime());
            return view.positionOfSlot(slot, new Vector3f());
        }
    }

    /** Implements an interface; where the handler returns null, number methods return 0. */
    private static <T> T fake(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    Object answer = handler.invoke(self, method, arguments);
                    if (answer != null) {
                        return answer;
                    }
                    Class<?> wanted = method.getReturnType();
                    return wanted == boolean.class
                            ? (Object) false
                            : wanted == int.class
                                    ? (Object) 0
                                    : wanted == long.class
                                            ? (Object) 0L
                                            : wanted == float.class ? (Object) 0f : wanted == String.class ? "" : null;
                }));
    }
}
