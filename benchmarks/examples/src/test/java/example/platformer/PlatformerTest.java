package example.platformer;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.ManualClock;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Runs the whole game without a display and without a physics thread, on a manual clock. Checks what the screen draws and plays, and what
 * it keeps when the game starts again.
 */
class PlatformerTest {

    private static final int BODIES = 22;

    private final ManualClock clock = new ManualClock(0);
    private final List<InlineDriver> services = new ArrayList<>();

    /** How many rectangles each draw call of the last frame had: first a call for the bodies, then one for the letters. */
    private final List<Integer> rectangles = new ArrayList<>();

    private int ticks;
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
            dings += method.getName().equals("play") && arguments == null ? 1 : 0; // a thud has a volume and a pitch
            return null;
        });
        Gdx.audio = fake(Audio.class, (self, method, arguments) -> sound);
        Gdx.gl20 = fake(GL20.class, this::draw);
        Gdx.gl = Gdx.gl20;
        game = new Platformer(clock, level -> {
            services.add(PhysicsService.builder(level).inline(clock));
            return service();
        });
    }

    @AfterEach
    void close() {
        game.dispose();
    }

    /** Fakes the calls of OpenGL: accepts every shader, and counts the drawn rectangles. */
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
    void shouldStandStillWithAPictureInTheMenuAndEndThere() {
        frames(10);
        assertStands(true);
        assertThat(rectangles.get(0)).as("bodies in the first menu").isEqualTo(BODIES);
        press(Keys.ENTER);
        assertStands(false);
        assertThat(rectangles.get(1)).as("letters").isLessThan(20);
        press(Keys.ESCAPE);
        frames(2);
        assertStands(true);
        assertThat(rectangles.get(1)).as("letters").isGreaterThan(50);
        assertThat(exits).isZero();
        press(Keys.ESCAPE);
        assertThat(exits).isOne();
    }

    private void assertStands(boolean stands) {
        int before = ticks;
        frames(20);
        assertThat(ticks == before).isEqualTo(stands);
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

    private void takeAGem() {
        press(Keys.ENTER);
        frames(50);
        keys.keyDown(Keys.A);
        frames(140);
        keys.keyUp(Keys.A);
        keys.keyDown(Keys.W);
        frames(15);
        keys.keyUp(Keys.W);
        keys.keyDown(Keys.D); // the player walks onto the lowest ledge
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

    /** Implements an interface with a handler. If the handler returns null, the method returns 0 or an empty text. */
    private static <T> T fake(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    Object answer = handler.invoke(self, method, arguments);
                    Class<?> wanted = method.getReturnType();
                    if (answer != null || wanted == void.class) {
                        return answer;
                    }
                    return wanted == String.class ? "" : Array.get(Array.newInstance(wanted, 1), 0);
                }));
    }
}
