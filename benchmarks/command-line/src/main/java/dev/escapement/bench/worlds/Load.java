package dev.escapement.bench.worlds;

import dev.escapement.bench.demo.JoltBodies;
import dev.escapement.bench.demo.Machine;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** What the worlds have to do in a tick. */
enum Load {
    /** Ten masses on springs: next to nothing. */
    IDLE,
    /** A machine in Jolt that tumbles bodies, 50 in all. */
    LOADED,
    /** As idle, beside one world more that needs three periods for each step. */
    ROGUE;

    private static final int SPRINGS = 10;
    private static final int BODIES = 50;
    private static final long ROGUE_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

    Simulation world() {
        return switch (this) {
            case LOADED ->
                new JoltBodies(new Machine(BODIES, false).scene(), 0); // the threads that step worlds are enough
            case IDLE, ROGUE -> new SpringSimulation(SPRINGS);
        };
    }

    static Simulation rogue() {
        return new ForwardingSimulation(new SpringSimulation(SPRINGS)) {
            @Override
            public void step(Tick tick) throws Exception {
                long startedNanos = System.nanoTime();
                super.step(tick);
                while (System.nanoTime() - startedNanos < ROGUE_NANOS) {
                    Thread.onSpinWait();
                }
            }
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
