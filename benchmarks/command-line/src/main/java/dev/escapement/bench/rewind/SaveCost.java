package dev.escapement.bench.rewind;

import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.StateRecorderImpl;
import com.sun.management.ThreadMXBean;
import dev.escapement.bench.demo.JoltBodies;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.replay.StateHistory;
import dev.escapement.state.input.RecordedInput;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What it costs to save a world after every tick, and to restore it, beside the least: for Jolt the binding's own saved state as an array,
 * for springs a copy of their state.
 *
 * @param saveNanos    of a tick: the state, what differs from the last whole one, and storing that
 * @param leastNanos   of the least, after the same ticks
 * @param restoreNanos to the last tick
 * @param garbage      what a save allocates over what the least does, the mean
 * @param bytesPerBody how much is stored of a tick for each body that moves, or for each if none does; the median
 */
record SaveCost(
        Histogram saveNanos, Histogram leastNanos, Histogram restoreNanos, double garbage, double bytesPerBody) {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** One of this many ticks has a whole state. */
    private static final int PART = 20;

    /** Then the past is full, and its memory is used again. */
    private static final int FULL = 10 * PART;

    private static final int KEPT = 8 * PART;
    private static final long MAX_BYTES = 1L << 30;
    private static final long SEED = 1;

    /** Of a pile or a drum, which this closes. */
    static SaveCost ofJolt(JoltBodies bodies, int pushes, int warmUp, int ticks) {
        Optional<JoltWorldSimulation> jolt = bodies.capability(JoltWorldSimulation.class);
        PhysicsSystem system = jolt.orElseThrow().world();
        return of(bodies, pushes, warmUp, ticks, bodies, () -> {
            try (StateRecorderImpl recorder = new StateRecorderImpl()) {
                system.saveState(recorder);
                recorder.getData();
            }
        });
    }

    /** Of any simulation, which this closes. */
    static SaveCost of(
            Simulation simulation, int pushes, int warmUp, int ticks, @Nullable JoltBodies jolt, Runnable least) {
        SaveCost cost = new SaveCost(new Histogram(3), new Histogram(3), new Histogram(3), 0, 0);
        Histogram bytes = new Histogram(3);
        long ourBytes = 0;
        long leastBytes = 1; // not nothing, over which a ratio is taken
        StateHistory history = StateHistory.ofTicks(KEPT).maxBytes(MAX_BYTES);
        history.begin(simulation, SeededWorld.RATE);
        try (SeededWorld world = new SeededWorld(simulation, pushes, null)) {
            world.run(SEED, warmUp);
            history.start(warmUp);
            for (int tick = -FULL; tick < ticks; tick++) {
                world.run(SEED, world.tick() + 1);
                long number = world.tick();
                history.stepped(tick(number), List.of(), false);
                long storedBefore = history.storedBytes();
                for (int turn = 0; turn < 2; turn++) { // what comes first brings the state into the caches
                    boolean ours = (tick & 1) == turn;
                    long bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
                    long nanos = Figures.nanos(ours ? () -> history.published(number, false) : least);
                    long now = THREADS.getCurrentThreadAllocatedBytes() - bytesBefore;
                    if (tick >= 0) {
                        ourBytes += ours ? now : 0;
                        leastBytes += ours ? 0 : now;
                        (ours ? cost.saveNanos : cost.leastNanos).recordValue(nanos);
                    }
                }
                if (tick >= 0) {
                    bytes.recordValue(100 * Math.max(0, history.storedBytes() - storedBefore) / moving(jolt));
                    cost.restoreNanos.recordValue(Figures.nanos(() -> restore(history, number, simulation)));
                }
            }
        }
        double bytesPerBody = bytes.getValueAtPercentile(50) / 100.0;
        return new SaveCost(
                cost.saveNanos, cost.leastNanos, cost.restoreNanos, (double) ourBytes / leastBytes, bytesPerBody);
    }

    private static Tick tick(long number) {
        RecordedInput none = new RecordedInput();
        none.begin(SeededWorld.RATE.nanosAt(1));
        return new Tick(SeededWorld.RATE, number, SeededWorld.RATE.nanosAt(number), 0, none.frame(), false);
    }

    private static void restore(StateHistory history, long tick, Simulation simulation) {
        try {
            history.past(tick).restore(simulation, false, null);
        } catch (Exception thrown) {
            throw new IllegalStateException("tick " + tick + " could not be restored: " + thrown, thrown);
        }
    }

    /** How many bodies are awake, or parts of the machine; all if none is. */
    private static int moving(@Nullable JoltBodies jolt) {
        if (jolt == null) {
            return 1;
        }
        int moving = jolt.bodyCount() - jolt.draggableCount();
        for (int body = 0; body < jolt.draggableCount(); body++) {
            moving += jolt.isAwake(body) ? 1 : 0;
        }
        return moving == 0 ? jolt.bodyCount() : moving;
    }
}
