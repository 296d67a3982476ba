package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.Logged;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.List;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

/** Rollbacks: late input re-simulates ticks of masses that input and commands push. */
class RollbackTest extends RewindFixture {

    private static final long TICK_NANOS = 10_000_000;
    private static final int LATE_TICKS = 12;

    private final TracedMasses late = new TracedMasses(BODIES);

    private void rollBack(Simulation simulation) {
        start(simulation, StateHistory.ofTicks(LATE_TICKS + 1).rollBack(LATE_TICKS));
    }

    @Test
    void shouldDropAndCountTooLateInputAndKeepLevels() {
        rollBack(late);
        run(30);
        List<String> before = late.got(1, 30);
        long samplingNanos = (30 - LATE_TICKS) * TICK_NANOS;
        driver.input().offer(samplingNanos, InputKind.KEY_DOWN, 87, 0, 0);
        run(1);
        assertThat(driver.stats().droppedLateInputs()).isOne();
        assertThat(driver.stats().rollbacks()).isZero();
        assertThat(late.got(1, 30)).isEqualTo(before);
        assertThat(late.got(31, 31).get(0)).contains("holds 87").doesNotContain("KEY_DOWN");
        driver.input().offer(samplingNanos + TICK_NANOS + 1, InputKind.KEY_UP, 87, 0, 0);
        run(1);
        assertThat(driver.stats().rollbacks()).isOne();
        assertThat(driver.stats().resimulatedTicks()).isEqualTo(LATE_TICKS);
        assertThat(late.got(20, 20).get(0)).contains("KEY_UP87 at 1");
    }

    /** A late release of a key takes effect, although the key went down in a pause. Another key stays held. */
    @Test
    void shouldReleaseLateWhatWentDownInAPause() {
        rollBack(late);
        run(10);
        driver.pause();
        run(1);
        clock.advance(1);
        driver.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, 60, 0, 0);
        driver.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, 87, 0, 0);
        driver.runDueTicks();
        driver.resume();
        driver.runDueTicks();
        long releasedNanos = clock.nanoTime() + 1;
        run(1);
        assertThat(late.got(12, 12).get(0)).endsWith(" holds 60 holds 87");
        driver.input().offer(releasedNanos, InputKind.KEY_UP, 87, 0, 0);
        run(1);
        assertThat(driver.stats().rollbacks()).isOne();
        assertThat(late.got(12, 13))
                .hasSize(2)
                .allSatisfy(tick -> assertThat(tick).endsWith(" holds 60"));
    }

    @Test
    void shouldShowLateInputOfAPause() {
        rollBack(late);
        SnapshotReader reader = driver.newReader();
        run(10);
        driver.pause();
        run(1);
        assertThat(shownAt(reader)).containsExactly(11L, 11L);
        offerAt(8);
        assertThat(driver.runDueTicks()).isZero();
        assertThat(driver.stats().rollbacks()).isOne();
        assertThat(shownAt(reader)).containsExactly(12L, 11L);
        PoseBlock shown = reader.window().newest().poses().block(0);
        assertThat(shown.py[2]).isEqualTo((float) late.height(2));
        assertThat(driver.runDueTicks()).isZero();
        assertThat(shownAt(reader)).as("once").containsExactly(12L, 11L);
    }

    private static List<Long> shownAt(SnapshotReader reader) {
        reader.acquire();
        Snapshot newest = reader.window().newest();
        return List.of(newest.tick(), newest.simulationTick());
    }

    @Test
    void shouldNameTheFirstInputThatItDrops() {
        rollBack(late);
        run(30);
        try (Logged logged = new Logged("physics")) {
            offerAt(10);
            offerAt(11);
            run(1);
            assertThat(logged.records)
                    .extracting(LogRecord::getMessage)
                    .singleElement()
                    .asString()
                    .contains("has dropped InputEvent[", "at 99999999 ns], which came too late: ");
        }
    }

    @Test
    void shouldDropLateInputOfTicksThatCannotRunAgain() {
        rollBack(late);
        run(10);
        assertThat(driver.command(tick -> "local")).isNotNull();
        run(5);
        offerAt(10);
        run(1);
        assertThat(driver.stats().droppedLateInputs())
                .as("tick 11 cannot be re-simulated")
                .isOne();
        offerAt(12);
        run(1);
        assertThat(driver.stats().rollbacks()).isOne();
        assertThat(history.rewind(14)).isNotNull();
        run(1);
        offerAt(16);
        run(3);
        assertThat(driver.stats().droppedLateInputs())
                .as("undone ticks take no input")
                .isEqualTo(2);
        late.requireTheHashesOfARunWithoutRewinds();
    }

    private void offerAt(long tick) {
        driver.input().offer(tick * TICK_NANOS - 1, InputKind.APPLICATION, 1, 1, 1);
    }

    private boolean fails;

    @Test
    void shouldRunNothingAgainFromBeforeAMissingTick() {
        TracedMasses failing = new TracedMasses(BODIES) {
            @Override
            public void save(StateBuffer to) {
                if (fails) {
                    fails = false;
                    throw new ArithmeticException("after the tick was published");
                }
                super.save(to);
            }
        };
        rollBack(failing);
        run(10);
        fails = true;
        clock.advance(TICK_NANOS);
        assertThatThrownBy(driver::runDueTicks).hasMessage("after the tick was published");
        offerAt(8);
        run(1);
        assertThat(driver.stats().droppedLateInputs()).isOne();
        failing.requireTheHashesOfARunWithoutRewinds();
        run(2);
        offerAt(13);
        run(1);
        assertThat(driver.stats().rollbacks()).isOne();
        failing.requireTheHashesOfARunWithoutRewinds();
    }

    @Test
    void shouldSayWhatItNeeds() {
        StateHistory few = StateHistory.ofTicks(7).rollBack(8);
        assertThatThrownBy(() -> builder(late, few).inline(clock))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("to roll back 8 ticks, a run needs the states before them");
        assertThat(few.canRewind()).isFalse();
        try (InlineDriver corrected = builder(late, few.rollBack(7)).inline(clock)) { // a refused history may begin
            assertThat(corrected.runDueTicks()).isZero();
            assertThat(few.canRewind()).isTrue();
        }
        assertThatThrownBy(() -> builder(late, StateHistory.ofTicks(5).rollBack(5))
                        .with(few)
                        .inline(clock))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two histories cannot roll back");
        assertThatThrownBy(() -> StateHistory.ofTicks(7).rollBack(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 tick or more");
    }
}
