package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.bench.compare.FramePolicies.CappedTicks;
import dev.escapement.bench.compare.FramePolicies.RefreshQuantised;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.render.gameloop.FrameClock;
import dev.escapement.render.gameloop.FramePolicy;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleConsumer;
import org.junit.jupiter.api.Test;

/** The known errors of the irregular loops, in numbers. */
class IrregularLoopsTest {

    private static final TickRate SIXTY = TickRate.hertz(60);
    private static final long MILLI = 1_000_000;

    /** Row 3a beside the driver that captures every tick: 120 Hz with a floor of 15 frames a second, and a stall of 1 s. */
    @Test
    void shouldReachTheSameStatesWithAtMostTwoCapturesAFrame() {
        CappedTicks cap = new CappedTicks(TickRate.hertz(120), 8);
        ManualClock real = new ManualClock(Long.MAX_VALUE - 1_000 * MILLI); // wraps within the test
        FrameClock clock = new FrameClock(real, cap);
        Pendulum reported = new Pendulum();
        InlineDriver driver = PhysicsService.builder(reported).rate(cap.rate()).inline(clock);
        Pendulum pendulum = new Pendulum();
        List<double[]> saved = new ArrayList<>();
        IrregularLoops.CountedFirst counted = new IrregularLoops.CountedFirst(
                pendulum::step,
                state -> {
                    state[0] = pendulum.angle;
                    state[1] = pendulum.speed;
                    saved.add(state);
                },
                2,
                cap);
        SplittableRandom random = new SplittableRandom(31);
        for (int frame = 0; frame < 500; frame++) {
            long elapsed = frame == 250 ? 1_000 * MILLI : random.nextLong(2 * MILLI, 40 * MILLI);
            real.advance(elapsed);
            clock.beginFrame();
            int ticks = driver.runDueTicks();
            saved.clear();
            assertThat(counted.frame(frame == 0 ? 0 : elapsed)).isEqualTo(ticks);
            assertThat(saved).as("frame %s", frame).hasSize(Math.min(2, ticks));
            assertThat(ticks).isLessThanOrEqualTo(8).isGreaterThanOrEqualTo(frame == 250 ? 8 : 0);
            int states = reported.states.size();
            if (states >= 2) {
                assertThat(counted.previous).containsExactly(reported.states.get(states - 2));
                assertThat(counted.current).containsExactly(reported.states.get(states - 1));
            }
        }
    }

    /** After a freeze of 1 s a character that runs at a rising gate is beyond it, unless the freeze is cut short. */
    @Test
    void shouldPassAGateThatShouldHaveStoppedIt() {
        Runner passing = new Runner();
        IrregularLoops.RealTimeOverload real = new IrregularLoops.RealTimeOverload(passing, SIXTY, 6);
        real.frame(100 * MILLI);
        real.frame(1000 * MILLI);
        assertThat(passing.x).as("beyond the gate").isGreaterThan(Runner.GATE);
        assertThat(passing.irregularSteps).isOne();

        Runner stopped = new Runner();
        FramePolicy lying = new RefreshQuantised(SIXTY, 6);
        long released = 0;
        for (long frame : new long[] {100 * MILLI, 1000 * MILLI, 1000 * MILLI, 1000 * MILLI, 1000 * MILLI}) {
            long now = lying.release(released, frame);
            for (long period = SIXTY.tickAt(released); period < SIXTY.tickAt(released + now); period++) {
                stopped.accept(SIXTY.dtSeconds());
            }
            released += now;
        }
        assertThat(stopped.x).as("at the gate").isEqualTo(Runner.GATE);
    }

    /** 5 steps a frame at 20 frames a second; frames of 40 and 64 ms in turns want 5.2, and it falls 0.4 s behind in ten. */
    @Test
    void shouldDriftFromRealTimeWhenTheFrameRateVaries() {
        IrregularLoops.MeanFrameRate even = new IrregularLoops.MeanFrameRate(100);
        assertThat(even.frame(0.05)).isEqualTo(5);
        IrregularLoops.MeanFrameRate loop = new IrregularLoops.MeanFrameRate(100);
        double seconds = 0;
        long steps = 0;
        long accumulated = 0;
        for (int frame = 0; seconds < 10; frame++) {
            double elapsed = frame % 2 == 0 ? 0.040 : 0.064;
            seconds += elapsed;
            steps += loop.frame(elapsed);
            accumulated = (long) (seconds * 100 + 1e-9);
        }
        assertThat(steps / 100.0 - seconds).as("seconds behind").isCloseTo(-0.4, within(0.05));
        assertThat(accumulated / 100.0 - seconds).as("an accumulator").isBetween(-0.01, 0.0);
    }

    /** Steps of 1/400 s that cost one and a half times as long, drawing for 17 ms, as a timer of 1 ms sees 60 frames a second. */
    @Test
    void shouldSettleUnderOverload() {
        List<Integer> softened = stepsPerFrame(100);
        assertThat(softened.subList(10, 100)).allMatch(steps -> steps == 6 || steps == 7);
    }

    private static List<Integer> stepsPerFrame(int frames) {
        double step = 1.0 / 400;
        double cost = 1.5 * step;
        double render = 0.017;
        IrregularLoops.SoftenedOverload loop = new IrregularLoops.SoftenedOverload(step);
        List<Integer> steps = new ArrayList<>();
        double elapsed = 0; // the first frame never sees the time since start-up
        int done = 0;
        for (int frame = 0; frame < frames; frame++) {
            done = loop.frame(elapsed, render, done == 0 ? 0 : cost);
            steps.add(done);
            elapsed = render + done * cost;
        }
        return steps;
    }

    /** Runs at 10 m/s into a gate 0.3 m thick, which it is in after some step of 1/60 s; it closes after 0.2 s. */
    private static final class Runner implements DoubleConsumer {

        static final double GATE = 4;

        private double x;
        private double seconds;
        private int irregularSteps;

        @Override
        public void accept(double dtSeconds) {
            irregularSteps += dtSeconds == SIXTY.dtSeconds() ? 0 : 1;
            seconds += dtSeconds;
            x += 10 * dtSeconds;
            if (x >= GATE && x < GATE + 0.3 && seconds > 0.2) {
                x = GATE;
            }
        }
    }

    /** Swings so far that every bit of its state matters for the next; keeps every state that a driver captures. */
    private static final class Pendulum implements Simulation {

        private final List<double[]> states = new ArrayList<>();
        private double angle = 3;
        private double speed;

        void step(double dtSeconds) {
            speed -= 30 * StrictMath.sin(angle) * dtSeconds;
            angle += speed * dtSeconds;
        }

        @Override
        public void step(Tick tick) {
            step(tick.dtSeconds());
        }

        @Override
        public void capture(PoseWriter poses) {
            states.add(new double[] {angle, speed});
        }
    }
}
