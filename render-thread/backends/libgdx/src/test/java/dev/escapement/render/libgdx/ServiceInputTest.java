package dev.escapement.render.libgdx;

import static org.assertj.core.api.Assertions.assertThat;

import com.badlogic.gdx.Application;
import com.badlogic.gdx.Gdx;
import com.badlogic.gdx.Input.Buttons;
import com.badlogic.gdx.Input.Keys;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.input.InputState;
import dev.escapement.state.time.ManualClock;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServiceInputTest {

    private final ManualClock clock = new ManualClock(0);
    private final InputRing first = new InputRing(2, clock);
    private final InputRing next = new InputRing(16, clock);
    private final InputSampler firstSampler = new InputSampler(first);
    private final InputSampler nextSampler = new InputSampler(next);
    private final ServiceInput input = new ServiceInput(clock);

    @Test
    void shouldOfferWhatHappenedWhenItHappened() {
        input.offerTo(next);
        clock.advance(10);
        assertThat(input.keyDown(Keys.D)).as("others get it, too").isFalse();
        clock.advance(10);
        input.touchDown(3, 4, 0, Buttons.RIGHT);
        input.touchDragged(5, 6, 1);
        input.mouseMoved(7, 8);
        assertThat(input.scrolled(0.5f, 2)).as("others get it, too").isFalse();
        input.scrolled(0, 0);
        input.touchUp(9, 10, 0, Buttons.RIGHT);
        input.keyUp(Keys.D);
        InputFrame frame = nextSampler.sample(0, 100);
        assertThat(frame.size()).isEqualTo(8);
        assertEvent(frame, 0, InputKind.KEY_DOWN, Keys.D, 0, 0, 10);
        assertEvent(frame, 1, InputKind.POINTER_DOWN, Buttons.RIGHT, 3, 4, 20);
        assertEvent(frame, 2, InputKind.POINTER_MOVED, 1, 5, 6, 20);
        assertEvent(frame, 3, InputKind.POINTER_MOVED, 0, 7, 8, 20);
        assertEvent(frame, 4, InputKind.WHEEL, 0, 0.5f, -2, 20);
        assertThat(frame.event(5)).as("not -0").hasToString("InputEvent[#5 WHEEL 0 (0.0, 0.0) at 20 ns]");
        assertEvent(frame, 6, InputKind.POINTER_UP, Buttons.RIGHT, 9, 10, 20);
        assertEvent(frame, 7, InputKind.KEY_UP, Keys.D, 0, 0, 20);
    }

    private static void assertEvent(InputFrame frame, int i, InputKind kind, int code, float x, float y, long nanos) {
        assertThat(frame.event(i).kind()).isEqualTo(kind);
        assertThat(frame.event(i).code()).isEqualTo(code);
        assertThat(frame.event(i).x()).isEqualTo(x);
        assertThat(frame.event(i).y()).isEqualTo(y);
        assertThat(frame.event(i).timeNanos()).isEqualTo(nanos);
    }

    @Test
    void shouldBeginEachServiceWithTheKeysThatAreHeld() {
        input.keyDown(Keys.A); // no service yet, so the key is only tracked
        input.offerTo(first);
        assertThat(firstSampler.sample(0, 0).state().isKeyDown(Keys.A)).isTrue();
        input.keyDown(Keys.D);
        input.keyUp(Keys.A);
        first.close(); // as if its service had ended
        input.offerTo(next);
        InputFrame frame = nextSampler.sample(0, 0);
        assertThat(frame.size()).isEqualTo(1);
        assertThat(frame.state().isKeyDown(Keys.D)).isTrue();
        input.keyUp(Keys.D);
        assertThat(nextSampler.sample(0, 0).state().isKeyDown(Keys.D)).isFalse();
    }

    @Test
    void shouldOfferRefusedEventsInTheNextFrame() {
        List<Runnable> nextFrame = new ArrayList<>();
        Application before = Gdx.app;
        Gdx.app = (Application) Proxy.newProxyInstance(
                Application.class.getClassLoader(), new Class<?>[] {Application.class}, (app, method, arguments) -> {
                    nextFrame.add((Runnable) arguments[0]);
                    return null;
                });
        try {
            input.offerTo(first);
            input.keyDown(Keys.A);
            input.keyDown(Keys.D);
            input.keyDown(Keys.S);
            input.keyUp(Keys.D);
            input.keyDown(Keys.W);
            for (int leftEvents = 1; leftEvents >= 0; leftEvents--) { // the ring has room for two
                firstSampler.sample(0, 0);
                nextFrame.remove(0).run();
                assertThat(nextFrame).as("one for all events").hasSize(leftEvents);
            }
        } finally {
            Gdx.app = before;
        }
        InputState state = firstSampler.sample(0, 0).state();
        assertThat(state.isKeyDown(Keys.W)).isTrue();
        assertThat(state.isKeyDown(Keys.D)).isFalse();
    }

    @Test
    void shouldLeaveOutKeysWithoutACode() {
        input.offerTo(next);
        input.keyDown(Keys.ANY_KEY);
        assertThat(nextSampler.sample(0, 0).size()).isZero();
    }
}
