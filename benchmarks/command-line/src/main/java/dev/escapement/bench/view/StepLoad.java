package dev.escapement.bench.view;

import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import java.util.function.Supplier;

/** Time that each step takes longer, so that a person sees what each picture makes of it. */
enum StepLoad {
    NONE(0, 0, ""),
    /** Within a tick of 100 Hz, and never the same. */
    UNEVEN(1_000_000, 8_000_000, "each step takes 1 to 8 ms more"),
    /** More than a tick of 100 Hz. */
    OVERLOAD(14_000_000, 14_000_000, "each step takes 14 ms more");

    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    /** Its effect in words. */
    final String text;

    private final long leastNanos;
    private final long maxNanos;

    StepLoad(long leastNanos, long maxNanos, String text) {
        this.leastNanos = leastNanos;
        this.maxNanos = maxNanos;
        this.text = text;
    }

    /** The one that the key makes of this one. */
    StepLoad next() {
        return this == NONE ? UNEVEN : this == UNEVEN ? OVERLOAD : NONE;
    }

    /** By how much a step takes longer: from its number, evenly distributed. */
    long nanos(long tick) {
        long share = (tick * GOLDEN_RATIO) >>> 44; // 20 bits
        return leastNanos + (((maxNanos - leastNanos) * share) >> 20);
    }

    /** A simulation whose steps take as much longer as the load of the moment says. Its states are the same. */
    static Simulation slowing(Simulation simulation, Supplier<StepLoad> load) {
        return new ForwardingSimulation(simulation) {
            @Override
            public void step(Tick tick) throws Exception {
                long beganNanos = System.nanoTime();
                super.step(tick);
                long nanos = System.nanoTime() - beganNanos + load.get().nanos(tick.number());
                while (System.nanoTime() - beganNanos < nanos) {
                    Thread.onSpinWait();
                }
            }
        };
    }
}
