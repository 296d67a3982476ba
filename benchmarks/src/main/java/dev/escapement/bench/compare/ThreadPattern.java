package dev.escapement.bench.compare;

import dev.escapement.bench.compare.TwoLatestPicture.AlphaRule;
import dev.escapement.physics.Simulation;
import dev.escapement.render.FrameView;
import dev.escapement.render.clock.LookAhead;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Function;

/**
 * A way to get from a physics thread to a render thread.
 *
 * <pre>{@code
 * ThreadPattern pattern = ThreadPattern.of(Contestant.NEWEST, scene, rate, 0);
 * PhysicsService physics = PhysicsService.builder(pattern.simulation()).windowSize(pattern.windowSize()).start();
 * Picture picture = pattern.picture().apply(physics.newReader());
 * }</pre>
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
            case FRAME_QUEUE -> frameQueue(scene, rate);
            case LOCK_AND_COPY -> new ThreadPattern(scene, 2, reader -> copying(scene, rate));
            case SERVICE_2 -> service(scene, 2, 0);
            case SERVICE_3 -> service(scene, 3, 0);
            case SERVICE_AHEAD -> service(scene, LookAhead.LEAST_SNAPSHOTS, 1);
            default ->
                throw new IllegalArgumentException(
                        contestant + " has no physics thread of its own; its steps run in " + contestant.place());
        };
    }

    private static ThreadPattern twoLatest(TickedScene scene, AlphaRule rule) {
        return new ThreadPattern(scene, 2, reader -> TwoLatestPicture.within(reader, scene, rule));
    }

    private static ThreadPattern service(TickedScene scene, int snapshots, double ticksAhead) {
        Interpolation how = Interpolation.DEFAULT.lookAhead(ticksAhead);
        return new ThreadPattern(scene, snapshots, reader -> Picture.of(FrameView.of(reader, how), scene));
    }

    /** A bounded queue: physics offers each state, and drops it where there is no room; each frame takes the one that has waited longest. */
    private static ThreadPattern frameQueue(TickedScene scene, TickRate rate) {
        ArrayBlockingQueue<TickedScene.State> queue = new ArrayBlockingQueue<>(QUEUE_CAPACITY);
        scene.afterCapture(() -> queue.offer(scene.copy())); // a full queue drops the state: physics does not wait
        Picture picture = new Picture() {
            @Override
            public void frame(long nowNanos, long displayNanos) {
                TickedScene.State next = queue.poll();
                if (next == null) {
                    hold();
                } else {
                    drawn(next.probeX(), next.tick(), rate, next.ballHeight());
                }
            }
        };
        return new ThreadPattern(scene, 2, reader -> picture);
    }

    /** Draws the state after the last step; a frame that falls into a step waits for its end. */
    private static Picture copying(TickedScene scene, TickRate rate) {
        return new Picture() {
            @Override
            public void frame(long nowNanos, long displayNanos) {
                TickedScene.State copy = scene.copy();
                drawn(copy.probeX(), copy.tick(), rate, copy.ballHeight());
            }
        };
    }
}
