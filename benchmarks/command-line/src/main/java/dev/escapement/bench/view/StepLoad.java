package dev.escapement.bench.view;

import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import java.util.function.Supplier;

/** Extra time per step, so that a person sees how slow steps affect each of the two pictures. */
enum StepLoad {
    NONE(0, 0, ""),
    /** Steps of uneven length, all short enough for a tick of 100 Hz. */
    UNEVEN(1_000_000, 8_000_000, "each step takes 1 to 8 ms more"),
    /** Steps longer than a tick of 100 Hz. */
    OVERLOAD(14_000_000, 14_000_000, "each step takes 14 ms more");

    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    final String text;

    private final long leastNanos;
    private final long maxNanos;

    StepLoad(long leastNanos, long maxNanos, String text) {
        this.leastNanos = leastNanos;
        this.maxNanos = maxNanos;
        this.text = text;
    }

    StepLoad next() {
        return this == NONE ? UNEVEN : this == UNEVEN ? OVERLOAD : NONE;
    }

    /** The extra time of a tick's step. It is evenly distributed over ticks, and depends only on the tick number. */
    long nanos(long tick) {
        long share = (tick * GOLDEN_RATIO) >>> 44; // the upper 20 bits of the product
        return leastNanos + (((maxNanos - leastNanos) * share) >> 20);
    }

    /** Wraps a simulation so that each step takes longer by the current load. The simulated states stay the same. */
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
