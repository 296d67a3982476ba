package dev.escapement.bench.compare;

import static dev.escapement.bench.compare.TestPhysics.TICK_NANOS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.bench.compare.TwoLatestPicture.AlphaRule;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.ManualClock;
import org.junit.jupiter.api.Test;

/** What each pattern draws, tick by tick: the ten-millisecond ticks of a physics thread that is 2 and 7 ms late. */
class ThreadPatternTest {

    private static final long MILLI = 1_000_000;
    private static final long ROUNDING = 1_000; // floats

    @Test
    void shouldShowTheStartBeforeThereIsAState() {
        for (Contestant contestant : ContestantTest.at(Contestant.Place.TWO_THREADS)) {
            TestPhysics physics = new TestPhysics(contestant, 0);
            assertThat(physics.shownAt(0)).as("%s", contestant).isZero();
            assertThat(physics.picture.ballHeight()).isEqualTo(Ball.START_METRES);
        }
    }

    @Test
    void shouldDrawTheNewest() {
        TestPhysics physics = new TestPhysics(Contestant.NEWEST, 0);
        physics.publishAt(2 * TICK_NANOS + 2 * MILLI);
        assertThat(physics.shownAt(22 * MILLI)).isEqualTo(2 * TICK_NANOS);
        assertThat(physics.shownAt(36 * MILLI)).isEqualTo(2 * TICK_NANOS);
        physics.publishAt(3 * TICK_NANOS + 7 * MILLI);
        assertThat(physics.shownAt(37 * MILLI)).isEqualTo(3 * TICK_NANOS);
        assertThat(physics.picture.holds()).isZero();
    }

    /** From the earlier of the two when the newest arrives, and no further than the newest. */
    @Test
    void shouldBlendByArrival() {
        TestPhysics physics = new TestPhysics(Contestant.BY_ARRIVAL, 0);
        physics.publishAt(2 * TICK_NANOS + 2 * MILLI);
        assertThat(physics.shownAt(22 * MILLI)).isCloseTo(10 * MILLI, within(ROUNDING));
        assertThat(physics.shownAt(25 * MILLI)).isCloseTo(13 * MILLI, within(ROUNDING));
        assertThat(physics.picture.holds()).isZero();
        assertThat(physics.shownAt(36 * MILLI)).isEqualTo(20 * MILLI);
        assertThat(physics.picture.holds()).as("14 ms after the arrival").isOne();
    }

    @Test
    void shouldBlendByDueTimeBehindACover() {
        TestPhysics physics = new TestPhysics(Contestant.TWO_BY_DUE, 4 * MILLI);
        physics.publishAt(2 * TICK_NANOS + 2 * MILLI);
        assertThat(physics.shownAt(25 * MILLI)).isCloseTo(11 * MILLI, within(ROUNDING));
        assertThat(physics.shownAt(33 * MILLI)).isCloseTo(19 * MILLI, within(ROUNDING));
        assertThat(physics.picture.holds()).isZero();
        assertThat(physics.shownAt(36 * MILLI)).as("tick 3 is late").isEqualTo(20 * MILLI);
        assertThat(physics.picture.holds()).isOne();
        physics.publishAt(4 * TICK_NANOS + 2 * MILLI);
        assertThat(physics.shownAt(42 * MILLI)).as("28 ms is gone").isEqualTo(30 * MILLI);
    }

    /** At a constant velocity right, and beyond the floor where the ball bounced. */
    @Test
    void shouldGoOnFromTheNewest() {
        TestPhysics physics = new TestPhysics(scene -> new ThreadPattern(
                scene, 2, reader -> new TwoLatestPicture(reader, scene, AlphaRule.extrapolated(), 2)));
        long bounce = (long) (Ball.bounceAfter(0) * 1e9);
        long tickBefore = TestPhysics.RATE.tickAt(bounce) * TICK_NANOS;
        physics.publishAt(tickBefore);
        assertThat(physics.shownAt(tickBefore)).isEqualTo(tickBefore);
        assertThat(physics.picture.ballHeight()).isPositive();
        long lastMoment = tickBefore + TICK_NANOS - 1;
        assertThat(physics.shownAt(lastMoment)).isCloseTo(lastMoment, within(ROUNDING));
        assertThat(physics.picture.ballHeight()).isNegative();
        assertThat(physics.picture.holds()).isZero();
    }

    /** Delays of 0 to 30 ms: a tick, and the 9.8 ms that three snapshots hold, behind the time of display, not that of the frame. */
    @Test
    void shouldShowWhatFitsTheTimeOfDisplay() {
        TestPhysics physics = new TestPhysics(Contestant.SERVICE_3, 0);
        physics.publishAt(4 * TICK_NANOS);
        assertThat(physics.shownAt(40 * MILLI)).isCloseTo(20_200_000, within(ROUNDING));
        physics.picture.frame(41 * MILLI, 49 * MILLI);
        assertThat(physics.picture.shownSimNanos()).isBetween(29 * MILLI, 30 * MILLI);
    }

    @Test
    void shouldTakeOneStateAFrameAndDropWhatFindsNoRoom() {
        TestPhysics physics = new TestPhysics(Contestant.FRAME_QUEUE, 0);
        physics.publishAt(12 * TICK_NANOS); // into a queue of 8
        for (int frame = 1; frame <= 8; frame++) {
            assertThat(physics.shownAt(120 * MILLI)).isEqualTo(frame * TICK_NANOS);
        }
        assertThat(physics.picture.holds()).isZero();
        assertThat(physics.shownAt(120 * MILLI)).as("once more").isEqualTo(8 * TICK_NANOS);
        assertThat(physics.picture.holds()).isOne();
        physics.publishAt(13 * TICK_NANOS);
        assertThat(physics.shownAt(130 * MILLI)).as("9 to 12 were dropped").isEqualTo(13 * TICK_NANOS);
    }

    @Test
    void shouldCopyTheStateAsItStands() {
        TestPhysics physics = new TestPhysics(Contestant.LOCK_AND_COPY, 0);
        physics.publishAt(5 * TICK_NANOS);
        assertThat(physics.shownAt(50 * MILLI)).isEqualTo(5 * TICK_NANOS);
    }

    /** The step holds the lock; a frame that wants to copy meanwhile waits, and then has the state after it. */
    @Test
    void shouldLetAFrameWaitForTheEndOfAStep() throws Exception {
        Thread[] renderer = new Thread[1];
        Picture[] picture = new Picture[1];
        WorkClock rendererWaits = new WorkClock() {
            @Override
            public void spend(long nanos) {
                renderer[0] = new Thread(() -> picture[0].frame(0, 0));
                renderer[0].start();
                while (renderer[0].getState() != Thread.State.WAITING) {
                    assertThat(renderer[0].isAlive())
                            .as("the frame must not go through")
                            .isTrue();
                    Thread.onSpinWait();
                }
            }

            @Override
            public long nanoTime() {
                return 0;
            }
        };
        ThreadPattern locked = ThreadPattern.of(
                Contestant.LOCK_AND_COPY, new TickedScene(LoadProfile.LIGHT, rendererWaits), TestPhysics.RATE, 0);
        ManualClock clock = new ManualClock(0);
        InlineDriver driver = PhysicsService.builder(locked.simulation()).inline(clock);
        picture[0] = locked.picture().apply(driver.newReader());
        clock.advance(TICK_NANOS);
        driver.runDueTicks();
        renderer[0].join();
        assertThat(picture[0].shownSimNanos()).isEqualTo(TICK_NANOS);
    }

    @Test
    void shouldRefuseALoop() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TestPhysics(Contestant.ACCUMULATOR, 0))
                .withMessage("accumulator has no physics thread of its own; its steps run in ONE_THREAD");
    }
}
