package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputState;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TimeScale;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the position of input in the simulated time of a tick, at every time scale and around pauses. */
class TickInputTest {

    private static final long MILLI = 1_000_000;
    private static final int UNWELCOME = 13;

    private final ManualClock clock = new ManualClock(0);
    private final List<String> seen = new ArrayList<>();
    private final List<Integer> reportedWhilePaused = new ArrayList<>();
    private final InlineDriver driver = PhysicsService.builder(new ScriptedSimulation(this::see))
            .pausedInput(this::report)
            .inline(clock);
    private final IllegalStateException cause = new IllegalStateException("no such menu");

    @Test
    void shouldStretchTicksInSlowMotion() {
        runUntil(10);
        driver.timeScale(new TimeScale(1, 10));
        runUntil(20); // the new scale applies from the end of this tick
        offer(50, 1);
        runUntil(120);
        assertThat(seen).containsExactly("tick 3: 1 at 30 of 100");
    }

    @Test
    void shouldDeliverInputInAPauseAndResumeAfterIt() {
        driver.pause();
        runUntil(10);
        offer(15, 1);
        driver.input().offer(16 * MILLI, InputKind.KEY_DOWN, 7, 0, 0);
        runUntil(30);
        assertThat(reportedWhilePaused).containsExactly(1, 7);
        driver.resume();
        runUntil(40);
        offer(43, 2);
        runUntil(60); // the pause ended at 31 ms
        assertThat(seen).containsExactly("tick 3: 2 at 2 of 10, holding 7");
    }

    @Test
    void shouldCountTheTickAfterAPauseFromItsEnd() {
        driver.pause();
        runUntil(30);
        driver.resume();
        runUntil(31);
        offer(33, 1);
        runUntil(50);
        assertThat(seen).containsExactly("tick 2: 1 at 2 of 10");
    }

    @Test
    void shouldResumeBehindTheEventOfWhichAListenerThrew() {
        driver.pause();
        runUntil(10);
        offer(11, 1);
        offer(12, UNWELCOME);
        offer(13, 2);
        clock.advance(5 * MILLI);
        assertThatThrownBy(driver::runDueTicks).isSameAs(cause);
        assertThat(reportedWhilePaused).containsExactly(1, UNWELCOME);
        driver.runDueTicks();
        assertThat(reportedWhilePaused).containsExactly(1, UNWELCOME, 2);
    }

    private void report(InputEvent event, InputState state) {
        reportedWhilePaused.add(event.code());
        if (event.code() == UNWELCOME) {
            throw cause;
        }
    }

    private void offer(long millis, int code) {
        assertThat(driver.input().offer(millis * MILLI, InputKind.APPLICATION, code, 0, 0))
                .isTrue();
    }

    private void runUntil(long millis) {
        while (clock.nanoTime() < millis * MILLI) {
            clock.advance(MILLI);
            driver.runDueTicks();
        }
    }

    private void see(Tick tick) {
        InputFrame input = tick.input();
        for (int i = 0; i < input.size(); i++) {
            seen.add("tick " + tick.number() + ": " + input.event(i).code() + " at "
                    + input.event(i).offsetNanos() / MILLI + " of " + input.lengthNanos() / MILLI
                    + (input.state().isKeyDown(7) ? ", holding 7" : ""));
        }
    }
}
