package dev.escapement.physics;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.Command;
import dev.escapement.physics.command.SpawnCommand;
import dev.escapement.physics.command.Spawned;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A {@link Simulation} that is being ticked, as the rest of a game sees it: a {@link PhysicsService}, or an {@link InlineDriver} in the
 * game's own loop.
 *
 * <pre>{@code
 * void play(TickingWorld world) {
 *     SnapshotReader reader = world.newReader();
 *     world.input().offer(nanos, InputKind.KEY_DOWN, KEY_W, 0, 0);
 *     world.command(tick -> engine.applyExplosion());
 *     world.timeScale(new TimeScale(1, 4));
 * }
 * }</pre>
 *
 * <p><b>Threads.</b> Any thread may call any method of a service. Of a driver, any thread may call {@link #newReader()}, {@link #events},
 * {@link #command}, {@link #query}, {@link #spawn}, {@link #input()} and the statistics; all others belong to the thread that runs its
 * ticks.
 */
public interface TickingWorld extends AutoCloseable {

    /**
     * Attaches a reader.
     *
     * @return a reader for one thread
     * @throws IllegalStateException if all readers that were asked for with {@link PhysicsServiceBuilder#maxReaders} are attached
     */
    SnapshotReader newReader();

    /**
     * Subscribes to what happens to bodies, from the next tick to begin on.
     *
     * @param capacity how many events wait at most, a power of two
     * @return a stream of events for one thread
     * @throws IllegalArgumentException if the capacity is no positive power of two
     */
    EventStream events(int capacity);

    /**
     * Where input is offered. Any thread offers.
     *
     * @return the ring that is drained at every tick
     */
    InputRing input();

    /**
     * Runs a command on the thread that ticks, before the next tick; within about 10 ms where slow motion makes that more than 20 ms away,
     * or time stands still. Any thread; commands of one thread run in their order. Commands may give commands, which run before the tick after
     * that. While time stands still they run at once, so that one which gives itself again keeps a core busy.
     *
     * <p>A service completes all futures on one other thread, and on another one after a restart. Slow work there should go on with
     * {@code thenAcceptAsync}: it delays all answers behind it, and a command keeps its place in the queue until its answer is given.
     * Where something blocks there when the service ends, up to seven other threads give the remaining answers. A driver completes
     * futures on the thread that runs its ticks.
     *
     * @param command what to do
     * @param <T>     what it returns
     * @return is completed with the tick before which it ran and what it returned; exceptionally if it threw, if the queue is full, or
     *     if ticking ends before
     */
    <T> CompletableFuture<Answer<T>> command(Command<T> command);

    /**
     * Runs a query on the thread that ticks, a ray cast say, after the next tick has been published. Where slow motion makes that more than
     * 20 ms away, or time stands still, it runs within about 10 ms, and sees the tick that was published last with what commands
     * have done since. Any thread.
     *
     * @param query what to look up
     * @param <T>   what it returns
     * @return is completed as that of a {@link #command}, with the tick whose state was asked and what the query returned
     */
    <T> CompletableFuture<Answer<T>> query(Command<T> query);

    /**
     * Reserves the id of a body, and runs a command that makes it, as {@link #command} does. Any thread. The id may be used at once in
     * later commands of the same thread: they run after this one.
     *
     * @param command what makes the body
     * @param <T>     what it returns
     * @return the id, and what {@link #command} would return; where all places of the queue are taken or ticking has ended, an id
     *     that no body ever has
     * @throws IllegalStateException if the simulation counts its bodies with {@code bodyCount}, or if there are too many. Before
     *                               its first capture that is not known: then the future is completed with this exception,
     *                               even if the command ran
     */
    <T> Spawned<T> spawn(SpawnCommand<T> command);

    /**
     * How many commands and queries were refused because their queue was full, since the last start.
     *
     * @return commands and queries
     */
    long refusedCommands();

    /**
     * Lets simulated time stand still at the end of the next tick, because what was shown before must not change. Until then at most one
     * tick of simulated time passes: its length over the scale, which is 10 s at 100 Hz and 1/1000.
     */
    void pause();

    /** Lets simulated time go on from now; of a driver, from the next time it runs ticks. */
    void resume();

    /** Lets one tick pass, at the speed set, and then time stand still. A tick under way counts. */
    void step();

    /**
     * Sets how fast simulated time runs, from the end of the next tick on, as {@link #pause()}. The length of a tick stays what it
     * is: with the same input per tick, the same states follow at every speed.
     *
     * @param scale simulated over real time
     * @throws IllegalArgumentException if the rate times the scale is no {@link TickRate}
     */
    void timeScale(TimeScale scale);

    /**
     * How fast simulated time is to run.
     *
     * @return simulated over real time, whether or not it stands still
     */
    TimeScale timeScale();

    /**
     * The rate of the ticks.
     *
     * @return the rate set with {@link PhysicsServiceBuilder#rate}
     */
    TickRate rate();

    /**
     * How punctual the ticks were, and how long they took.
     *
     * @return the statistics since the last start, read while ticks go on
     */
    PhysicsStats stats();

    /**
     * How many input events were accepted but belong to no tick yet.
     *
     * @return events, exact once this is closed and no thread offers
     */
    long pendingInputs();

    /**
     * How much of the time that passed was simulated: less than 1 where time was given up because ticks took too long. Pauses do
     * not count, and slow motion is no loss.
     *
     * @return 0 to 1, since the last start; NaN if the service has failed
     */
    double timeFactor();

    /**
     * How many deadlines were given up because ticks took too long.
     *
     * @return ticks
     */
    long givenUpTicks();

    /**
     * How much time was given up because ticks took too long: exact for every policy, where ticks count whole deadlines only.
     *
     * @return nanoseconds of the clock
     */
    long givenUpNanos();

    /**
     * How many poses were replaced by the body's last good one because they were not finite.
     *
     * @return poses
     */
    long quarantinedPoses();

    /**
     * How many blocks of 1024 bodies had to be added to snapshots because the world outgrew what was preallocated. Each is an
     * allocation.
     *
     * @return added blocks, over all snapshots
     */
    long grownBlocks();

    /**
     * Where a replay first led to another state than the recorded run did. Ticks go on after it.
     *
     * @return empty as long as all states are the same, and if nothing is replayed
     * @see PhysicsServiceBuilder#replay
     */
    Optional<Divergence> divergence();

    /** Ends ticking, and closes the simulation and the input sources. Idempotent. */
    @Override
    void close();
}
