package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Closes or runs a driver from inside one of its own ticks. Ten ticks are due. */
class InlineCloseTest {

    /** The call inside which the test acts. */
    private enum Place {
        COMMAND,
        ANSWER,
        SOURCE,
        STEP,
        CAPTURE,
        EVENTS,
        QUERY,
        PUBLISHED,
        BEGIN,
        PAUSED_LISTENER
    }

    private static final long TICK_NANOS = 10_000_000;

    private final ManualClock clock = new ManualClock(0);
    private final List<String> log = new ArrayList<>();
    private final IllegalStateException cause = new IllegalStateException("bodies overlap");
    private final IllegalStateException another = new IllegalStateException("no such handle");
    private Place place = Place.STEP;
    private Runnable action = () -> {};
    private boolean closeThrows;
    private final InlineDriver driver = PhysicsService.builder(new Acting())
            .source(ring -> at(Place.SOURCE))
            .with(new OnPublish(times -> at(Place.PUBLISHED)))
            .pausedInput((event, state) -> at(Place.PAUSED_LISTENER))
            .inline(clock);

    @BeforeEach
    void askForEverything() {
        driver.events(16);
        assertThat(driver.command(this::command).thenRun(() -> at(Place.ANSWER)))
                .isNotDone();
        assertThat(driver.query(this::query)).isNotDone();
        clock.advance(10 * TICK_NANOS);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"BEGIN", "PAUSED_LISTENER"})
    void shouldEndWithTheTickThatItIsClosedIn(Place from) {
        place = from;
        action = driver::close;
        assertThat(driver.runDueTicks()).isEqualTo(1);
        assertThat(log).containsExactly("begin", "command", "step", "capture", "events", "close");
        assertThatIllegalStateException()
                .isThrownBy(driver::runDueTicks)
                .withMessageStartingWith("this driver was closed");
        driver.close();
        assertThat(log).hasSize(6);
    }

    @Test
    void shouldRunNothingOnceClosedWhileItBegins() {
        place = Place.BEGIN;
        action = driver::close;
        assertThat(driver.runDueTicks()).isZero();
        assertThat(log).containsExactly("begin", "close");
    }

    @Test
    void shouldEndOnceClosedWhileTimeStandsStill() {
        driver.pause();
        driver.runDueTicks();
        place = Place.PAUSED_LISTENER;
        action = driver::close;
        driver.resume();
        driver.input().offer(clock.nanoTime(), InputKind.APPLICATION, 1, 0, 0);
        clock.advance(10 * TICK_NANOS);
        assertThat(driver.runDueTicks()).isZero();
        assertThat(log).containsExactly("begin", "command", "step", "capture", "events", "close");
    }

    /** Waiting commands fail at the end of the tick, as in a service. */
    @Test
    void shouldFailWhatWaitsWhenTheTickHasEnded() {
        List<CompletableFuture<?>> late = new ArrayList<>();
        action = () -> {
            driver.close();
            late.add(driver.command(tick -> tick));
            assertThat(late.get(0)).isNotDone();
        };
        driver.runDueTicks();
        assertThat(late.get(0)).isCompletedExceptionally();
    }

    @Test
    void shouldThrowWhatTheTickAndTheCloseThrew() {
        closeThrows = true;
        action = () -> {
            driver.close();
            throw cause;
        };
        assertThatThrownBy(driver::runDueTicks).isSameAs(cause).hasSuppressedException(another);
        assertThat(log).containsExactly("begin", "command", "step", "close");
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseToRunTicksWithinATick(Place from) {
        List<Throwable> refused = new ArrayList<>();
        place = from;
        action = () -> {
            try {
                driver.runDueTicks();
            } catch (IllegalStateException e) {
                refused.add(e);
            }
        };
        driver.pause();
        driver.input().offer(20 * TICK_NANOS, InputKind.APPLICATION, 1, 0, 0);
        assertThat(driver.runDueTicks()).isEqualTo(1);
        clock.advance(10 * TICK_NANOS);
        assertThat(driver.runDueTicks()).isZero();
        assertThat(log).containsExactly("begin", "command", "step", "capture", "events");
        assertThat(refused)
                .isNotEmpty()
                .allSatisfy(thrown -> assertThat(thrown)
                        .hasMessage(
                                "this driver is running ticks already; what a tick calls cannot run others within it"));
    }

    private long command(long tick) {
        log.add("command");
        at(Place.COMMAND);
        return tick;
    }

    private long query(long tick) {
        at(Place.QUERY);
        return tick;
    }

    private void at(Place reached) {
        if (reached == place) {
            action.run();
        }
    }

    private final class Acting implements Simulation {

        @Override
        public void begin() {
            log.add("begin");
            at(Place.BEGIN);
        }

        @Override
        public void step(Tick tick) {
            log.add("step");
            at(Place.STEP);
        }

        @Override
        public void capture(PoseWriter poses) {
            log.add("capture");
            at(Place.CAPTURE);
        }

        @Override
        public void events(EventWriter events) {
            log.add("events");
            at(Place.EVENTS);
        }

        @Override
        public void close() {
            log.add("close");
            driver.close();
            if (closeThrows) {
                throw another;
            }
        }
    }
}
