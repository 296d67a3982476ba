package dev.escapement.bench.compare.picture;

import dev.escapement.bench.compare.contest.Contestant;
import dev.escapement.bench.compare.scene.TickedScene;
import dev.escapement.physics.Simulation;
import dev.escapement.render.FrameView;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.TickRate;
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
public record ThreadPattern(Simulation simulation, int windowSize, Function<SnapshotReader, Picture> picture) {

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
    public static ThreadPattern of(Contestant contestant, TickedScene scene, TickRate rate, long coverNanos) {
        return switch (contestant) {
            case NEWEST -> twoLatest(scene, AlphaRule.newest());
            case BY_ARRIVAL -> twoLatest(scene, AlphaRule.byArrival());
            case TWO_BY_DUE -> twoLatest(scene, AlphaRule.byDueTime(coverNanos));
            case FRAME_QUEUE -> {
                FrameQueue queue = new FrameQueue(QUEUE_CAPACITY);
                yield new ThreadPattern(queue.offering(scene), 2, reader -> queue.picture(rate));
            }
            case LOCK_AND_COPY -> {
                LockedScene locked = new LockedScene(scene);
                yield new ThreadPattern(locked.simulation(), 2, reader -> locked.picture(rate));
            }
            case SERVICE_2 -> service(scene, 2);
            case SERVICE_3 -> service(scene, 3);
            case SERVICE_4 -> service(scene, 4);
            default ->
                throw new IllegalArgumentException(
                        contestant + " has no physics thread of its own; its steps run in " + contestant.place());
        };
    }

    private static ThreadPattern twoLatest(TickedScene scene, AlphaRule rule) {
        return new ThreadPattern(scene, 2, reader -> TwoLatestPicture.within(reader, scene, rule));
    }

    private static ThreadPattern service(TickedScene scene, int snapshots) {
        return new ThreadPattern(scene, snapshots, reader -> new ViewPicture(FrameView.of(reader), scene));
    }
}
