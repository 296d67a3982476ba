package example.platformer;

import static org.assertj.core.api.Assertions.assertThat;

import com.badlogic.gdx.Input.Keys;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameView;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.time.ManualClock;
import java.util.stream.IntStream;
import org.joml.Vector3f;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rules of a level, tick by tick and without a thread. */
class LevelTest {

    private static final int ONE = 0;
    private static final int TWO = 1;

    private final ManualClock clock = new ManualClock(0);
    private final InlineDriver driver = PhysicsService.builder(Level.make()).inline(clock);
    private final FrameView view = FrameView.inline(driver.newReader());

    @AfterEach
    void close() {
        view.close();
        driver.close();
    }

    @Test
    void shouldMoveEachPlayerByItsOwnKeys() {
        ticks(50);
        key(InputKind.KEY_DOWN, Keys.A);
        key(InputKind.KEY_DOWN, Keys.RIGHT);
        ticks(50);
        assertThat(position(ONE).x).isLessThan(-4);
        assertThat(position(TWO).x).isGreaterThan(4);
        key(InputKind.KEY_UP, Keys.A);
        key(InputKind.KEY_DOWN, Keys.LEFT); // against the right that is still held
        ticks(5);
        float one = position(ONE).x;
        float two = position(TWO).x;
        ticks(50);
        assertThat(position(ONE).x).isEqualTo(one);
        assertThat(position(TWO).x).isEqualTo(two);
    }

    @Test
    void shouldJumpFromTheGroundOnlyAlsoForAShortTap() {
        ticks(50);
        float ground = position(ONE).y;
        key(InputKind.KEY_DOWN, Keys.W);
        key(InputKind.KEY_UP, Keys.W); // within the same tick
        ticks(40);
        assertThat(position(ONE).y).isGreaterThan(ground + 1);
        key(InputKind.KEY_DOWN, Keys.W);
        key(InputKind.KEY_UP, Keys.W);
        ticks(60);
        assertThat(position(ONE).y).as("no second jump, in the air").isLessThan(ground + 0.1f);
    }

    @Test
    void shouldLiftAPlayer() {
        key(InputKind.KEY_DOWN, Keys.W);
        key(InputKind.KEY_DOWN, Keys.D);
        ticks(39);
        key(InputKind.KEY_UP, Keys.W);
        key(InputKind.KEY_UP, Keys.D);
        ticks(250);
        assertThat(position(ONE).y).isGreaterThan(4);
    }

    @Test
    void shouldTakeTheGemThatAPlayerReaches() {
        ticks(50);
        assertThat(count(Kind.GEM)).isEqualTo(6);
        key(InputKind.KEY_DOWN, Keys.A);
        ticks(140);
        key(InputKind.KEY_UP, Keys.A);
        key(InputKind.KEY_DOWN, Keys.W);
        ticks(15);
        assertThat(count(Kind.GEM)).isEqualTo(6);
        key(InputKind.KEY_UP, Keys.W);
        key(InputKind.KEY_DOWN, Keys.D); // onto the lowest ledge
        ticks(60);
        assertThat(count(Kind.GEM)).isEqualTo(5);
    }

    @Test
    void shouldBeginAgainAfterAFall() {
        ticks(10);
        key(InputKind.KEY_DOWN, Keys.RIGHT);
        float lowest = 0;
        for (int tick = 0; tick < 2000 && lowest > -7; tick++) {
            ticks(1);
            lowest = Math.min(lowest, position(TWO).y);
        }
        key(InputKind.KEY_UP, Keys.RIGHT);
        ticks(50);
        assertThat(lowest).isLessThan(-7);
        assertThat(position(TWO).y).isBetween(0.4f, 1.1f);
        assertThat(position(TWO).x).isBetween(1.9f, 2.5f);
    }

    private void key(InputKind kind, int code) {
        driver.input().offer(clock.nanoTime(), kind, code, 0, 0);
    }

    private void ticks(int ticks) {
        for (int tick = 0; tick < ticks; tick++) {
            clock.advance(10_000_000);
            driver.runDueTicks();
            view.advance(clock.nanoTime());
        }
    }

    private Vector3f position(int slot) {
        return view.positionOfSlot(slot, new Vector3f());
    }

    private long count(Kind kind) {
        Bodies bodies = view.shown().bodies();
        return IntStream.range(0, bodies.slotCount())
                .filter(slot -> bodies.exists(slot) && bodies.userData(slot) == kind.number())
                .count();
    }
}
