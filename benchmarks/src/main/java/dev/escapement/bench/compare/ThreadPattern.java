package dev.escapement.bench.compare;

import dev.escapement.bench.compare.TwoLatestPicture.AlphaRule;
import dev.escapement.physics.Simulation;
import dev.escapement.render.FrameView;
import dev.escapement.render.clock.LookAhead;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.TickRate;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A way to get from a physics thread to a render thread.
 *
 * @param simulation what the physics thread ticks
 * @param windowSize how many snapshots a reader sees at a time
 * @param picture    what the render thread draws, given a reader of the snapshots
 */
record ThreadPattern(Simulation simulation, int windowSize, Function<SnapshotReader, Picture> picture) {

    private static final int QUEUE_CAPACITY = 8;

    /**
     * The pattern of a contestant.
     *
     * @param contestant one whose steps run in a thread of their own
     * @param scene      what is simulated
     * @param rate       the rate of the ticks
     * @param coverNanos the delay of {@link Contestant#TWO_BY_DUE}, which must be known beforehand
     * @throws IllegalArgumentException if the contestant is no such pattern
     */
    static ThreadPattern of(Contestant contestant, TickedScene scene, TickRate rate, long coverNanos) {
        return switch (contestant) {
            case NEWEST -> twoLatest(scene, AlphaRule.newest());
            case BY_ARRIVAL -> twoLatest(scene, AlphaRule.byArrival());
            case TWO_BY_DUE -> twoLatest(scene, AlphaRule.byDueTime(coverNanos));
            case FRAME_QUEUE -> {
                // Physics offers each state and does not wait: a full queue drops it.
                Queue<TickedScene.State> queue = new ArrayBlockingQueue<>(QUEUE_CAPACITY);
                scene.afterCapture(() -> queue.offer(scene.copy()));
                yield states(scene, rate, queue::poll);
            }
            case LOCK_AND_COPY -> states(scene, rate, scene::copy);
            case SERVICE_2 -> service(scene, 2, 0);
            case SERVICE_3 -> service(scene, 3, 0);
            case SERVICE_AHEAD -> service(scene, LookAhead.LEAST_SNAPSHOTS, 1);
            default ->
                throw new IllegalArgumentException(
                        contestant + " has no physics thread of its own; its steps run in " + contestant.place());
        };
    }

    private static ThreadPattern twoLatest(TickedScene scene, AlphaRule rule) {
        return new ThreadPattern(scene, 2, reader -> new TwoLatestPicture(reader, scene, rule, 1));
    }

    private static ThreadPattern service(TickedScene scene, int snapshots, double ticksAhead) {
        Interpolation how = Interpolation.DEFAULT.lookAhead(ticksAhead);
        return new ThreadPattern(scene, snapshots, reader -> Picture.of(FrameView.of(reader, how), scene));
    }

    /** Draws states as they are handed over, and holds where there is none. */
    private static ThreadPattern states(TickedScene scene, TickRate rate, Supplier<TickedScene.@Nullable State> next) {
        Picture picture = new Picture() {
            @Override
            public void frame(long nowNanos, long displayNanos) {
                TickedScene.State state = next.get();
                if (state == null) {
                    hold();
                } else {
                    drawn(state.probeX(), state.tick(), rate, state.ballHeight());
                }
            }
        };
        return new ThreadPattern(scene, 2, reader -> picture);
    }
}
