package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.loop.CappedTicks;
import dev.escapement.physics.loop.FrameClock;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Counting the steps first, beside the driver that captures every tick: 120 Hz with a floor of 15 frames a second. */
class CountedFirstLoopTest {

    private static final TickRate RATE = TickRate.hertz(120);
    private static final int MOST_TICKS = 8;
    private static final long MILLI = 1_000_000;
    private static final long STALL_NANOS = 1_000 * MILLI;
    private static final int STALLED_FRAME = 250;

    private final ManualClock real = new ManualClock(Long.MAX_VALUE - 1_000 * MILLI); // wraps within the test
    private final FrameClock clock = new FrameClock(real, new CappedTicks(RATE, MOST_TICKS));

    @Test
    void shouldReachTheSameStatesWithAtMostTwoCapturesAFrame() {
        Pendulum pendulum = new Pendulum();
        CountedFirstLoop counted = new CountedFirstLoop(pendulum::step, pendulum::saveTo, 2, RATE, MOST_TICKS);
        Told told = new Told();
        InlineDriver driver =
                PhysicsService.builder(told).rate(RATE).windowSize(2).inline(clock);
        SnapshotReader reader = driver.newReader();
        SplittableRandom random = new SplittableRandom(31);
        for (int frame = 0; frame < 500; frame++) {
            long elapsed = frame == STALLED_FRAME ? STALL_NANOS : random.nextLong(2 * MILLI, 40 * MILLI);
            real.advance(elapsed);
            clock.beginFrame();
            int ticks = driver.runDueTicks();
            long savesBefore = pendulum.saves;
            assertThat(counted.frame(frame == 0 ? 0 : elapsed)).isEqualTo(ticks);

            assertThat(pendulum.saves - savesBefore).as("frame %s", frame).isEqualTo(Math.min(2, ticks));
            assertThat(told.states).hasSize((int) told.captures);
            reader.acquire();
            if (reader.hasWindow()) {
                assertThat(counted.previous).containsExactly(told.states.get(told.states.size() - 2));
                assertThat(counted.current).containsExactly(told.states.get(told.states.size() - 1));
                assertThat((float) counted.previous[0]).isEqualTo(xOf(reader, 0));
                assertThat((float) counted.current[0]).isEqualTo(xOf(reader, 1));
            }
            if (frame == STALLED_FRAME) {
                assertThat(ticks).as("the driver captures each").isEqualTo(MOST_TICKS);
            }
        }
        assertThat(told.captures).isGreaterThan(pendulum.saves);
    }

    private static float xOf(SnapshotReader reader, int snapshot) {
        return reader.window().snapshot(snapshot).poses().block(0).px[0];
    }

    /** Swings so far that every bit of its state matters for the next. */
    private static final class Pendulum {

        private double angle = 3;
        private double speed;
        private long saves;

        void step(double dtSeconds) {
            speed -= 30 * StrictMath.sin(angle) * dtSeconds;
            angle += speed * dtSeconds;
        }

        void saveTo(double[] state) {
            saves++;
            state[0] = angle;
            state[1] = speed;
        }
    }

    /** The same, ticked by the driver; keeps every state. */
    private static final class Told implements Simulation {

        private final Pendulum pendulum = new Pendulum();
        private final List<double[]> states = new ArrayList<>();
        private long captures;

        @Override
        public void step(Tick tick) {
            pendulum.step(tick.dtSeconds());
            double[] state = new double[2];
            pendulum.saveTo(state);
            states.add(state);
        }

        @Override
        public void capture(PoseWriter poses) {
            captures++;
            poses.bodyCount(1);
            poses.set(0, (float) pendulum.angle, 0, 0, 0, 0, 0, 1);
        }
    }
}
