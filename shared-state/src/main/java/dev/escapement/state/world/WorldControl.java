package dev.escapement.state.world;

import dev.escapement.state.event.EventStream;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A running world that a tool watches and steers, for example a live page.
 *
 * <pre>{@code
 * WorldControl world = physics;
 * world.pause();
 * world.step();                            // one tick
 * world.timeScale(new TimeScale(1, 4));    // slow motion
 * world.resume();
 * world.input().offer(nanos, InputKind.KEY_DOWN, KEY_SPACE, 0, 0);
 * }</pre>
 *
 * <p>Any thread may call any method, unless the implementation says otherwise.
 */
public interface WorldControl {

    /** {@return the name that distinguishes the world from others; empty if it has none} */
    default String name() {
        return "";
    }

    /**
     * Pauses simulated time at the end of the next tick. If slow motion makes that tick more than 20 ms away, time stands still within
     * about 10 ms, and the picture with it, one tick behind. A replica always pauses at the end of a tick.
     */
    void pause();

    /** Resumes simulated time now. A world in a loop of the caller resumes when that loop runs ticks next. */
    void resume();

    /** Runs one tick at the current speed, then pauses. A tick under way counts as that tick. */
    void step();

    /**
     * Sets the speed of simulated time from the end of the next tick on, or within about 10 ms, as {@link #pause()} does. The simulated
     * length of a tick stays: with the same input per tick, the states are the same at every speed.
     *
     * @param scale simulated over real time
     * @throws IllegalArgumentException if the rate times the scale is no {@link TickRate}
     */
    void timeScale(TimeScale scale);

    /** {@return the requested speed, simulated over real time, even while time stands still} */
    TimeScale timeScale();

    /** {@return the rate of the ticks, per second of simulated time} */
    TickRate rate();

    /**
     * Attaches a reader.
     *
     * @return a reader for one thread
     * @throws IllegalStateException if the maximum number of readers is attached, or the world was closed
     */
    SnapshotReader newReader();

    /** {@return the ring to which any thread offers input} Ticks take input from it, unless the run repeats a source log. */
    InputRing input();

    /**
     * {@return a stream of body events for one thread, from the next tick that begins} A world that has ended delivers none.
     *
     * @param capacity the maximum of waiting events, a power of two
     * @throws IllegalArgumentException if the capacity is no positive power of two
     */
    EventStream events(int capacity);

    /**
     * Asks for the shapes of bodies, in queries that run between two ticks: as many as {@link ShapeSource#shapes} needs.
     *
     * @param bodies the {@link dev.escapement.state.snapshot.BodyId ids} of bodies
     * @return completes with one element for each id, null if the shape is not known or the body was despawned; with no elements if the
     *     simulation is no {@link ShapeSource}; exceptionally if the queue is full or ticking ends first. A thread of the common pool
     *     computes the triangles of meshes and completes it. The physics thread must not wait for it
     */
    CompletableFuture<List<@Nullable BodyShape>> shapes(List<Long> bodies);

    /**
     * Asks for the joints of bodies, as a query that runs between two ticks.
     *
     * @param max the maximum of joints returned, at least 0; each takes time between two ticks
     * @return completes with the joints, none if the simulation is no {@link ShapeSource} or knows none; exceptionally if the queue is
     *     full, an anchor is not finite, or ticking ends first
     * @throws IllegalArgumentException if max is negative
     */
    CompletableFuture<List<BodyJoint>> joints(int max);

    /** {@return why the world no longer ticks, empty if it has not failed} */
    Optional<Throwable> failure();

    /** {@return whether the world has failed or was closed, so that no tick follows} */
    boolean hasEnded();

    /** {@return the grants for the {@link dev.escapement.state.thread.ThreadPolicy} of the physics thread; none without a policy} */
    default ThreadGrants threadGrants() {
        return ThreadGrants.none();
    }

    /** {@return the metrics of the latest ticks, a row for each; always the same ring} */
    MetricRing<TickMetric> tickMetrics();
}
