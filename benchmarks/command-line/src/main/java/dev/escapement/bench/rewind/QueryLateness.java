package dev.escapement.bench.rewind;

import dev.escapement.bench.demo.JoltBodies;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.jolt.JoltQueryWorld;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.render.FrameView;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** How late a physics thread starts its ticks while {@value #ASKING} threads ask its world in each of their frames, and while none does. */
final class QueryLateness {

    private static final int ASKING = 4;
    private static final long FRAME_NANOS = 1_000_000_000 / 60;

    /** By turn: they ask in the second and the fourth. */
    private static final int TURNS = 4;

    private final long turnNanos;

    QueryLateness(long turnNanos) {
        this.turnNanos = turnNanos;
    }

    /** Of a world, which this closes. Turns come again until the time is over. */
    Histogram[] of(JoltBodies world, long nanos) {
        Histogram[] late = new Histogram[TURNS];
        Arrays.setAll(late, turn -> new Histogram(3));
        try (PhysicsService physics = SeededWorld.builder(world, null)
                .maxReaders(ASKING)
                .listener((tick, dueNanos, startedNanos, stepped, published) ->
                        late[turn(dueNanos)].recordValue(Math.max(0, startedNanos - dueNanos)))
                .start()) {
            JoltWorldSimulation jolt =
                    world.capability(JoltWorldSimulation.class).orElseThrow();
            long endNanos = physics.startedAtNanos() + nanos;
            List<CompletableFuture<Void>> threads = IntStream.range(0, ASKING)
                    .mapToObj(i -> CompletableFuture.runAsync(
                            () -> ask(physics, jolt, endNanos), task -> new Thread(task).start()))
                    .toList();
            threads.forEach(CompletableFuture::join);
        }
        return late;
    }

    private int turn(long nanos) {
        return Math.floorMod(Math.floorDiv(nanos, turnNanos), TURNS);
    }

    private void ask(PhysicsService physics, JoltWorldSimulation jolt, long endNanos) {
        double[] metres = new double[Rays.COUNT];
        Pacer pacer = new Pacer(NanoClock.system(), Waiter.system(), WaitStrategy.PARK_ONLY);
        try (FrameView view = FrameView.of(physics.newReader());
                Rays rays = new Rays();
                JoltQueryWorld queries =
                        physics.query(tick -> JoltQueryWorld.of(jolt, 0)).join().value()) {
            for (long nanos = System.nanoTime(); nanos - endNanos < 0; nanos = System.nanoTime()) {
                if (turn(nanos) % 2 == 1 && view.advance(nanos)) {
                    queries.at(view);
                    rays.cast(queries.system(), metres);
                }
                long turnEndNanos = nanos - Math.floorMod(nanos, turnNanos) + turnNanos;
                pacer.awaitUntil(turn(nanos) % 2 == 1 ? nanos + FRAME_NANOS : turnEndNanos);
            }
        }
    }
}
