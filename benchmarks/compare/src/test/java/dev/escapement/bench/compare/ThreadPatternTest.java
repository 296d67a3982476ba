package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.bench.compare.Picture.AlphaRule;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.ManualClock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What each pattern draws, tick by tick: the ten-millisecond ticks of a physics thread that is 2 and 7 ms late. */
class ThreadPatternTest {

    private static final long MILLI = 1_000_000;
    private static final long TICK_NANOS = 10 * MILLI;
    private static final long ROUNDING = 1_000; // floats

    private final ManualClock clock = new ManualClock(0);

    @Test
    void shouldShowTheStartBeforeThereIsAState() {
        for (Contestant contestant : Contestant.values()) {
            if (contestant.hasTwoThreads()) {
                Physics physics = new Physics(contestant, contestant::loop);
                assertThat(physics.shownAt(0)).as("%s", contestant).isZero();
                assertThat(physics.picture.ballHeight()).isEqualTo(Scene.START_METRES);
            }
        }
    }

    @Test
    void shouldDrawTheNewest() {
        Physics physics = new Physics(Contestant.NEWEST, Contestant.NEWEST::loop);
        physics.publishAt(2 * TICK_NANOS + 2 * MILLI);
        assertThat(physics.shownAt(22 * MILLI)).isEqualTo(2 * TICK_NANOS);
        assertThat(physics.shownAt(36 * MILLI)).isEqualTo(2 * TICK_NANOS);
        physics.publishAt(3 * TICK_NANOS + 7 * MILLI);
        assertThat(physics.shownAt(37 * MILLI)).isEqualTo(3 * TICK_NANOS);
    }

    /** From the earlier of the two when the newest arrives, and no further than the newest. */
    @Test
    void shouldBlendByArrival() {
        Physics physics = new Physics(Contestant.BY_ARRIVAL, Contestant.BY_ARRIVAL::loop);
        physics.publishAt(2 * TICK_NANOS + 2 * MILLI);
        assertThat(physics.shownAt(22 * MILLI)).isCloseTo(10 * MILLI, within(ROUNDING));
        assertThat(physics.shownAt(25 * MILLI)).isCloseTo(13 * MILLI, within(ROUNDING));
        assertThat(physics.shownAt(36 * MILLI)).isEqualTo(20 * MILLI);
    }

    @Test
    void shouldBlendByDueTimeBehindACover() {
        Physics physics = new Physics(Contestant.TWO_BY_DUE, loops -> loops.twoLatest(AlphaRule.byDueTime(4 * MILLI)));
        physics.publishAt(2 * TICK_NANOS + 2 * MILLI);
        assertThat(physics.shownAt(25 * MILLI)).isCloseTo(11 * MILLI, within(ROUNDING));
        assertThat(physics.shownAt(33 * MILLI)).isCloseTo(19 * MILLI, within(ROUNDING));
        assertThat(physics.shownAt(36 * MILLI)).as("tick 3 is late").isEqualTo(20 * MILLI);
        physics.publishAt(4 * TICK_NANOS + 2 * MILLI);
        assertThat(physics.shownAt(42 * MILLI)).as("28 ms is gone").isEqualTo(30 * MILLI);
    }

    @Test
    void shouldTakeOneStateAFrameAndDropWhatFindsNoRoom() {
        Physics physics = new Physics(Contestant.FRAME_QUEUE, Contestant.FRAME_QUEUE::loop);
        physics.publishAt(12 * TICK_NANOS); // into a queue of 8
        for (int frame = 1; frame <= 8; frame++) {
            assertThat(physics.shownAt(120 * MILLI)).isEqualTo(frame * TICK_NANOS);
        }
        assertThat(physics.shownAt(120 * MILLI)).as("once more").isEqualTo(8 * TICK_NANOS);
        physics.publishAt(13 * TICK_NANOS);
        assertThat(physics.shownAt(130 * MILLI)).as("9 to 12 were dropped").isEqualTo(13 * TICK_NANOS);
    }

    /** The step holds the lock; a frame that wants to copy meanwhile waits, and then has the state after it. */
    @Test
    void shouldLetAFrameWaitForTheEndOfAStep() throws Exception {
        Physics physics = new Physics(Contestant.LOCK_AND_COPY, Contestant.LOCK_AND_COPY::loop);
        Thread renderer = new Thread(() -> physics.picture.frame(0, 0));
        physics.duringStep = () -> {
            renderer.start();
            while (renderer.getState() != Thread.State.WAITING) {
                assertThat(renderer.isAlive())
                        .as("the frame must not go through")
                        .isTrue();
                Thread.onSpinWait();
            }
        };
        physics.publishAt(TICK_NANOS);
        renderer.join();
        assertThat(physics.picture.shownSimNanos()).isEqualTo(TICK_NANOS);
    }

    /** A pattern at 100 Hz whose steps cost nothing and are published when the test says so. */
    private final class Physics {

        private final Picture picture;
        private @Nullable InlineDriver driver;
        private Runnable duringStep = () -> {};

        Physics(Contestant contestant, Function<GameLoops, GameLoop> loopOf) {
            WorkClock free = new WorkClock() {
                @Override
                public void spend(long nanos) {
                    duringStep.run();
                }

                @Override
                public long nanoTime() {
                    return clock.nanoTime();
                }
            };
            Case run = new Case(contestant, LoadProfile.LIGHT, RefreshCase.FPS_144);
            Scene scene = new Scene(run.load(), free);
            picture = loopOf.apply(new GameLoops(run, scene, free, this::start, Runnable::run))
                    .picture();
        }

        private GameLoop start(GameLoops loops, int windowSize, Function<SnapshotReader, Picture> drawing) {
            InlineDriver started = PhysicsService.builder(loops.scene())
                    .rate(loops.rate())
                    .windowSize(windowSize)
                    .maxReaders(1)
                    .inline(clock);
            driver = started;
            return new GameLoop(drawing.apply(started.newReader()), (begin, display) -> {}, started::close);
        }

        /** Runs what is due, so late. */
        void publishAt(long nanos) {
            clock.advance(nanos - clock.nanoTime());
            if (driver != null) {
                driver.runDueTicks();
            }
        }

        /** What is shown by a frame that begins now, and is displayed at once. */
        long shownAt(long nanos) {
            picture.frame(nanos, nanos);
            return picture.shownSimNanos();
        }
    }
}
