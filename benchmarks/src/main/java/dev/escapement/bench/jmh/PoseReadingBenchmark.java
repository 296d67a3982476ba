package dev.escapement.bench.jmh;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RVec3;
import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.JoltPile;
import dev.escapement.bench.measure.ForwardingSimulation;
import dev.escapement.bench.run.Engine;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Simulation;
import dev.escapement.state.capture.Capture;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What it costs to read the poses of an engine and to write them into a snapshot, per body: {@value #BODIES} boxes
 * that are all falling, in a world that the engine's world simulation has around it, as that of a game would be. The
 * writing alone is {@code CaptureBenchmark.escapementAllMoved}; what Jolt's binding needs alone is {@link #bareJolt}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(PoseReadingBenchmark.BODIES)
public class PoseReadingBenchmark {

    static final int BODIES = 1000;

    /** The lowest box has a way of half a metre to fall: it takes 32 ticks. */
    private static final int TICKS = 20;

    private static final long TICK_NANOS = 10_000_000;

    /** A pile while it falls, so that no body sleeps. */
    @State(Scope.Thread)
    public abstract static class Falling {

        private @Nullable InlineDriver driver;

        final void letFall(Simulation simulation) {
            ManualClock clock = new ManualClock(0);
            Simulation stepped = new ForwardingSimulation(simulation) {
                @Override
                public void capture(PoseWriter poses) {
                    poses.bodyCount(0); // the benchmark captures: bodies can say only once that they came
                }
            };
            driver = PhysicsService.builder(stepped).inline(clock);
            clock.advance(TICKS * TICK_NANOS);
            driver.runDueTicks();
        }

        /** Frees what the engine holds. */
        @TearDown
        public void close() {
            Objects.requireNonNull(driver).close();
        }
    }

    /** An engine's pile. It stands still, and is captured again and again. */
    public static class FallingPile extends Falling {

        @Param({"JOLT", "BULLET", "ODE4J", "DYN4J"})
        Engine engine = Engine.JOLT;

        private final CapturedTicks ticks = new CapturedTicks(BODIES, PoseLayout.PLAIN);
        private Capture.Source poses = none -> {};

        @Setup
        public void start() {
            Simulation simulation = engine.simulation(BODIES);
            poses = simulation::capture;
            letFall(simulation);
        }
    }

    /** The bodies of Jolt's pile. */
    public static class FallingBodies extends Falling {

        private final RVec3 position = new RVec3();
        private final Quat rotation = new Quat();
        private final List<Body> bodies = new ArrayList<>();

        @Setup
        public void start() {
            JoltPile pile = new JoltPile(new BoxPile(BODIES));
            for (int body = 0; body < BODIES; body++) {
                bodies.add(pile.box(body));
            }
            letFall(pile);
        }
    }

    @Benchmark
    public Snapshot capture(FallingPile state) throws Exception {
        return state.ticks.capture(state.poses);
    }

    /** The least that reading poses through Jolt's binding takes: its calls alone, and nothing written. */
    @Benchmark
    public RVec3 bareJolt(FallingBodies state) {
        for (int body = 0; body < BODIES; body++) {
            state.bodies.get(body).getPositionAndRotation(state.position, state.rotation);
        }
        return state.position;
    }
}
