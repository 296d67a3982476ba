package dev.escapement.bench.rewind;

import com.github.stephengold.joltjni.StateRecorderImpl;
import dev.escapement.bench.demo.JoltBodies;
import dev.escapement.bench.demo.Scene;
import dev.escapement.bench.demo.Solid;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.SteppedTick;
import dev.escapement.physics.spi.TickAccess;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.world.BodyShape;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** What it costs to save a world after every tick, and to restore it. */
final class SaveCost {

    /** Longer than the past that is kept: then its memory is used again. */
    private static final int FULL = 200;

    private static final long SEED = 1;

    private SaveCost() {}

    /**
     * Measures a world, which this closes: {@code save}, of a tick: the state, what differs from the last whole one, and storing that;
     * {@code least}, beside it: the binding's own saved state as an array, or a copy of the springs' state; {@code restore}, to the last
     * tick; {@code stored}, bytes of a tick for each body that moves, or for each if none does.
     */
    static Samples of(Simulation simulation, int pushes, int warmUp, int ticks) {
        Samples samples = new Samples();
        Samples.Work least = least(simulation);
        samples.counts = false;
        StateHistory history = StateHistory.ofTicks(160).maxBytes(1L << 30);
        TickHook timed = new TimedHistory(history, simulation, least, samples);
        try (SeededWorld world = new SeededWorld(simulation, pushes, builder -> builder.with(timed))) {
            world.run(SEED, warmUp + FULL);
            samples.counts = true;
            world.run(SEED, world.tick + ticks);
            for (int time = 0; time < ticks; time++) { // then, so that it changes nothing of what is saved
                samples.counts = false;
                world.run(SEED, world.tick + 1);
                samples.counts = true;
                samples.time("restore", () -> {
                    world.goBack(history, world.tick);
                    world.driver.runDueTicks(); // goes back; none is due
                });
            }
        }
        return samples;
    }

    /** A history whose saving is timed, beside the least that it could take. */
    private record TimedHistory(StateHistory history, Simulation simulation, Samples.Work least, Samples samples)
            implements TickHook {

        @Override
        public void begin(TickAccess run) {
            history.begin(run);
        }

        @Override
        public void start() {
            history.start();
        }

        @Override
        public void stepped(SteppedTick tick) {
            history.stepped(tick);
        }

        @Override
        public void atRest(long tick, boolean bodiesChanged) {
            long storedBefore = history.storedBytes();
            for (int turn = 0; turn < 2; turn++) { // what comes first brings the state into the caches
                if ((tick & 1) == turn) {
                    samples.time("save", () -> history.atRest(tick, bodiesChanged));
                } else {
                    samples.time("least", least);
                }
            }
            double stored = history.storedBytes() - storedBefore;
            samples.add("stored", stored / moving(simulation));
        }

        @Override
        public void sought(long tick, boolean resimulates) {
            history.sought(tick, resimulates);
        }
    }

    private static Samples.Work least(Simulation simulation) {
        Optional<JoltWorldSimulation> jolt = simulation.capability(JoltWorldSimulation.class);
        Restorable whole = simulation.capability(Restorable.class).orElseThrow();
        StateBuffer copy = new StateBuffer();
        return () -> {
            if (jolt.isEmpty()) {
                copy.clear();
                whole.save(copy);
                return;
            }
            try (StateRecorderImpl recorder = new StateRecorderImpl()) {
                jolt.get().world().saveState(recorder);
                recorder.getData();
            }
        };
    }

    /** How many bodies are awake, or parts of the machine; all if none is. */
    private static long moving(Simulation simulation) {
        if (!(simulation instanceof JoltBodies bodies)) {
            return 1;
        }
        long awake = IntStream.range(0, bodies.draggableCount())
                .filter(bodies::isAwake)
                .count();
        long moving = bodies.bodyCount() - bodies.draggableCount() + awake;
        return moving == 0 ? bodies.bodyCount() : moving;
    }

    /** Boxes that lie on the floor, each alone. */
    static Simulation asleep(int boxes) {
        BodyShape.Form cube = new BodyShape.Box(0.5f, 0.5f, 0.5f);
        List<Solid> solids = IntStream.range(0, boxes)
                .mapToObj(i -> Solid.dynamic(cube, 0.5, 100, false, 2.0 * (i % 32), 0.5, 2.0 * Math.floorDiv(i, 32)))
                .toList();
        return new JoltBodies(Scene.onFloor(-9.81, 0.5, solids));
    }
}
