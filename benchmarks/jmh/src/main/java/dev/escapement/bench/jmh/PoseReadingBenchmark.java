package dev.escapement.bench.jmh;

import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.Capture;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.snapshot.Snapshot;
import java.util.concurrent.TimeUnit;
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
 * Measures, per body, the time to read the poses of an engine and to write them into a snapshot. All {@value #BODIES} boxes fall, so that
 * none sleeps. The world is not stepped between captures. {@code CaptureBenchmark.escapementAllMoved} measures the writing alone.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(PoseReadingBenchmark.BODIES)
public class PoseReadingBenchmark {

    static final int BODIES = 1000;

    /**
     * How many ticks the boxes fall before the measurement. None may land, and the lowest box lands after half a metre, which takes 32
     * ticks.
     */
    private static final int TICKS = 20;

    @Param({"JOLT", "BULLET", "ODE4J", "DYN4J", "BOX2D", "PHYSX"})
    Engine engine = Engine.JOLT;

    private final CapturedTicks captured = new CapturedTicks(BODIES);
    private Capture.Source poses = none -> {};
    private Simulation pile = new SpringSimulation(0);
    private int fallen;

    @Setup
    public void start() throws Exception {
        pile = engine.pile(BODIES);
        poses = pile::capture;
        fall(TICKS);
    }

    void fall(int ticks) throws Exception {
        RecordedInput none = new RecordedInput();
        for (int i = 0; i < ticks; i++) {
            fallen++;
            long dueNanos = TumblingBodies.RATE.nanosAt(fallen);
            pile.step(Tick.of(TumblingBodies.RATE, fallen, dueNanos, 0, none.frame(), false));
        }
    }

    @TearDown
    public void close() {
        pile.close();
    }

    @Benchmark
    public Snapshot capture() throws Exception {
        return captured.capture(poses);
    }
}
