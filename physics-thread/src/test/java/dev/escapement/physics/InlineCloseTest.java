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
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Closes or runs a driver from inside one of its own ticks. Ten ticks are due. */
class InlineCloseTest {

    /** The call inside which the test acts. */
    enum Place {
        BEGIN,
        COMMAND,
        STEP,
        CAPTURE,
        EVENTS,
        CLOSE,
        ANSWER,
        SOURCE,
        QUERY,
        PUBLISHED,
        PAUSED_LISTENER
    }

    private static final Set<Place> LOGGED = EnumSet.range(Place.BEGIN, Place.CLOSE);

    private static final long TICK_NANOS = 10_000_000;

    private final ManualClock clock = new ManualClock(0);
    private final List<Place> log = new ArrayList<>();
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
        assertThat(driver.command(tick -> at(Place.COMMAND)).thenRun(() -> at(Place.ANSWER)))
                .isNotDone();
        assertThat(driver.query(tick -> at(Place.QUERY))).isNotDone();
        clock.advance(10 * TICK_NANOS);
    }

    private boolean at(Place reached) {
        if (LOGGED.contains(reached)) {
            log.add(reached);
        }
        if (reached == place) {
            action.run();
        }
        return true;
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"BEGIN", "PAUSED_LISTENER", "CLOSE"})
    void shouldEndWithTheTickThatItIsClosedIn(Place from) {
        place = from;
        action = driver::close;
        assertThat(driver.runDueTicks()).isEqualTo(1);
        assertThat(log).containsExactlyElementsOf(LOGGED);
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
        assertThat(log).containsExactly(Place.BEGIN, Place.CLOSE);
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
        assertThat(log).containsExactlyElementsOf(LOGGED);
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
        assertThat(log).containsExactly(Place.BEGIN, Place.COMMAND, Place.STEP, Place.CLOSE);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CLOSE")
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
        assertThat(log).containsExactly(Place.BEGIN, Place.COMMAND, Place.STEP, Place.CAPTURE, Place.EVENTS);
        assertThat(refused)
                .isNotEmpty()
                .allSatisfy(thrown -> assertThat(thrown)
                        .hasMessage(
                                "this driver is running ticks already; what a tick calls cannot run others within it"));
    }

    private final class Acting implements Simulation {

        @Override
        public void begin() {
            at(Place.BEGIN);
        }

        @Override
        public void step(Tick tick) {
            at(Place.STEP);
        }

        @Override
        public void capture(PoseWriter poses) {
            at(Place.CAPTURE);
        }

        @Override
        public void events(EventWriter events) {
            at(Place.EVENTS);
        }

        @Override
        public void close() {
            at(Place.CLOSE);
            driver.close();
            if (closeThrows) {
                throw another;
            }
        }
    }
}
