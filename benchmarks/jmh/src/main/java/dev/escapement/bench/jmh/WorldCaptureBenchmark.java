package dev.escapement.bench.jmh;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.world.WorldSimulation;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The time of a whole tick of an engine whose step and calls take next to no time: what {@link WorldSimulation} adds for each body to
 * {@link CaptureBenchmark}, with and without looking for how fast bodies close in, as where contacts are wanted.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class WorldCaptureBenchmark {

    private static final TickRate RATE = TickRate.hertz(100);

    /** A body on a straight way to and fro, metres. */
    private static final class Moving {

        private final float x;
        private final float[] y = new float[2];

        Moving(int number) {
            x = number;
            y[1] = 0.01f;
        }
    }

    /** An engine that moves all bodies in no time. */
    private static final class Engine extends WorldSimulation<Object, Moving> {

        private int current;

        Engine() {
            super(new Object(), RIGID_BODY);
        }

        @Override
        protected void advance(Tick tick) {
            current ^= 1;
        }

        @Override
        protected boolean isInWorld(Moving body) {
            return true;
        }

        @Override
        protected boolean isAsleep(Moving body) {
            return false;
        }

        @Override
        protected void writePose(Moving body, int slot, PoseWriter poses) {
            poses.set(slot, body.x, body.y[current], 0, 0, 0, 0, 1);
        }

        @Override
        protected int readPose(Moving body, long[] bits, int at) {
            Arrays.fill(bits, at, at + 7, 0); // nothing asks: no body sleeps, and nothing is hashed
            return at + 7;
        }

        @Override
        protected void readVelocities(Moving body, long[] bits, int at) {
            Arrays.fill(bits, at, at + 6, 0);
        }

        @Override
        protected void reportContacts(ContactPairs touching) {}
    }

    /** A world whose bodies all move in each tick. */
    @State(Scope.Thread)
    public static class World {

        @Param({"1000", "10000"})
        int bodies;

        @Param({"false", "true"})
        boolean contacts;

        private final ManualClock clock = new ManualClock(0);

        @Nullable
        InlineDriver driver;

        @Setup
        public void create() {
            Engine engine = new Engine();
            for (int i = 0; i < bodies; i++) {
                engine.attach(new Moving(i), i);
            }
            driver = PhysicsService.builder(engine).rate(RATE).inline(clock);
            if (contacts) {
                driver.events(16); // nothing touches
            }
        }

        int tick() {
            clock.advance(RATE.nanosAt(1));
            return Objects.requireNonNull(driver).runDueTicks();
        }

        @TearDown
        public void close() {
            Objects.requireNonNull(driver).close();
        }
    }

    @Benchmark
    public int escapementWorld(World state) {
        return state.tick();
    }
}
