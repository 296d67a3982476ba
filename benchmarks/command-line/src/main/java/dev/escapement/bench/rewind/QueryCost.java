package dev.escapement.bench.rewind;

import com.github.stephengold.joltjni.PhysicsSystem;
import dev.escapement.bench.demo.JoltBodies;
import dev.escapement.physics.jolt.JoltQueryWorld;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.render.History;
import dev.escapement.state.exchange.SnapshotReader;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/**
 * What it costs to ask a world about a moment.
 *
 * @param placeNanos   all bodies, which have moved, at an instant between two ticks
 * @param firstNanos   {@link Rays}, the first {@value #PART} times
 * @param lastNanos    the last {@value #PART} times
 * @param steppedNanos then in the stepped world
 * @param newNanos     then in a world that was not asked before
 * @param offMetres    the largest distance between two hits of a ray
 */
record QueryCost(
        Histogram placeNanos,
        Histogram firstNanos,
        Histogram lastNanos,
        Histogram steppedNanos,
        Histogram newNanos,
        double offMetres) {

    private static final int PART = 100;
    private static final int KEPT_TICKS = 4;
    private static final long KEPT_BYTES = 1 << 24;
    private static final long SEED = 2;

    /** Of a pile or a drum, which this closes: asked so often, each time after some ticks. */
    static QueryCost of(JoltBodies bodies, int pushes, int warmUp, int times, int ticks) {
        JoltWorldSimulation jolt = bodies.capability(JoltWorldSimulation.class).orElseThrow();
        Histogram place = new Histogram(3);
        Histogram first = new Histogram(3);
        Histogram[] last = {new Histogram(3), new Histogram(3), new Histogram(3)};
        double[] metres = new double[Rays.COUNT];
        double[] other = new double[Rays.COUNT];
        double off = 0;
        SplittableRandom random = new SplittableRandom(SEED);
        History history = new History(KEPT_TICKS, KEPT_BYTES);
        try (SeededWorld world = new SeededWorld(bodies, pushes, null);
                SnapshotReader reader = world.driver.newReader();
                Rays rays = new Rays();
                JoltQueryWorld queries = JoltQueryWorld.of(jolt, 1);
                JoltQueryWorld others = JoltQueryWorld.of(jolt, 1)) {
            world.run(SEED, warmUp);
            for (int time = -warmUp; time < times; time++) {
                world.run(SEED, world.tick() + ticks);
                reader.acquire();
                history.add(reader.window());
                var between = history.at(history.newestTick() - 1, random.nextInt(1, 16) / 16f);
                long placed = Figures.nanos(() -> queries.at(between));
                queries.at(history.at(history.newestTick(), 0));
                boolean isLast = time >= times - PART;
                if (isLast) {
                    others.at(history.at(history.newestTick(), 0));
                }
                PhysicsSystem[] systems = {queries.system(), jolt.world(), others.system()};
                for (int turn = 0, count = isLast ? 3 : 2; turn < count; turn++) {
                    int i = Math.floorMod(turn + time, count); // what comes first brings the shapes into the caches
                    long nanos = rays.cast(systems[i], turn == 0 ? metres : other);
                    if (time >= 0 && isLast) {
                        last[i].recordValue(nanos);
                    }
                    if (time >= 0 && time < PART && i == 0) {
                        first.recordValue(nanos);
                    }
                    for (int ray = 0; turn > 0 && ray < Rays.COUNT; ray++) {
                        off = Math.max(off, Math.abs(metres[ray] - other[ray]));
                    }
                }
                if (time >= 0) {
                    place.recordValue(placed);
                }
            }
        }
        return new QueryCost(place, first, last[0], last[1], last[2], off);
    }
}
