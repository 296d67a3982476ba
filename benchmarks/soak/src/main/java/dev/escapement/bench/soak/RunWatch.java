package dev.escapement.bench.soak;

import dev.escapement.bench.stress.ledger.CommandLedger;
import dev.escapement.bench.stress.ledger.InputLedger;
import dev.escapement.bench.stress.trial.Check;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickTimes;
import dev.escapement.platform.linux.TakenTime;
import dev.escapement.platform.linux.TimeWatch;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Sits on the seam of a stressed service: hands what ticks get to the ledgers, counts what ticks allocate and how long they run, and is the
 * listener that is slow now and then.
 *
 * <p>Physics thread, except {@link #late}, which the threads of a {@link TimeWatch} call, and {@link #ticks}.
 */
final class RunWatch implements TickHook, TimeWatch.Listener {

    /** Each of the snapshots of the exchange makes room for the bodies when it is written first: at most 62 of them. */
    private static final long WARM_UP_TICKS = 100;

    /** A tick that starts later than this is late by a time that statistics may not have counted yet: they make room for it. */
    private static final long ON_TIME_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** A tick is longer or shorter than the tick before by more than this if the speed of time has changed. */
    private static final long ROUNDING_NANOS = 2_000;

    /** A tick is judged some seconds after it ended: these are 40 of them, at 100 Hz. */
    private static final int KEPT_TICKS = 4096;

    private static final long MIN_SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long SLOW_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int SLOW_STEPS = 14;

    /** How exact counters of the system are: a part of a tick may be counted with its neighbour. */
    private static final long BLAME_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final double BLAME_SHARE = 0.15;

    private static final int LEAKED_BYTES = 1024;

    private final Trial trial;
    private final LifePlan plan;
    private final StressedSimulation world;
    private final InputLedger inputs;
    private final CommandLedger commands;
    private final BytesCheck allocated;
    private final Check blamed;
    private final boolean countsBytes;
    private final boolean isHosted;

    /** What a planted leak keeps. */
    private final List<byte[]> leaked = new ArrayList<>();

    // The processor time of each of the last ticks from its step on. Written before the count of ticks, which readers
    // look at first.
    private final AtomicLongArray ownNanos = new AtomicLongArray(KEPT_TICKS);

    // Written by the physics thread alone; release, so that a thread that sees a tick, acquire, sees what was kept of
    // it.
    private final AtomicLong ticks = new AtomicLong();

    /** Whether somebody else's code ran since the last tick: a command, a query of the storm or of a page. */
    private boolean disturbed;

    private boolean hasGoneBack;

    /** What the tick before has allocated, judged when the next tick is known; negative if it does not count. */
    private long judgedBytes = -1;

    private long dueNanosBefore;
    private long lengthNanosBefore;
    private long bytesBefore;
    private long worldBytesBefore;
    private long cpuNanosBefore;
    private long steppingNanos;

    /**
     * @param isHosted whether its thread ticks other worlds between its ticks
     */
    RunWatch(
            Trial trial,
            LifePlan plan,
            StressedSimulation world,
            InputLedger inputs,
            CommandLedger commands,
            boolean isHosted) {
        this.trial = trial;
        countsBytes = !plan.keepsPast(); // what a history or a log keeps of ticks is not theirs
        this.isHosted = isHosted;
        this.plan = plan;
        this.world = world;
        this.inputs = inputs;
        this.commands = commands;
        allocated = new BytesCheck(trial.check(Promise.ALLOCATES_NOTHING), true, "ticks of " + plan);
        blamed = trial.check(Promise.BLAMED);
    }

    /** Called by each command and query of the storm: what it allocates is its own. */
    void disturb() {
        disturbed = true;
    }

    @Override
    public void command(long tick, Object command) {
        disturbed = true;
        if (command instanceof CommandData data && data.type().name().equals(StressedSimulation.NAME)) {
            commands.run(CommandStorm.DATA_LANE, number(data), tick);
        }
    }

    private static long number(CommandData data) {
        try {
            return new DataInputStream(new ByteArrayInputStream(data.bytes())).readLong();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // not of an array
        }
    }

    @Override
    public void stepping(Tick tick) {
        steppingNanos = System.nanoTime();
        inputs.arrive(tick);
        cpuNanosBefore = ThreadCounts.cpuNanos();
        if (isHosted) {
            bytesBefore = ThreadCounts.allocatedBytes();
            worldBytesBefore = world.allocatedBytes(); // its devices were polled before
        }
    }

    @Override
    public void sought(long tick, boolean resimulates) {
        disturbed = true;
        hasGoneBack = true;
    }

    /** Whether the world ever went back. After the end. */
    boolean hasGoneBack() {
        return hasGoneBack;
    }

    @Override
    public void published(TickTimes times) {
        checkInstants(times);
        beSlow(times.tick());
        if (trial.isPlanted(Promise.ALLOCATES_NOTHING)) {
            leaked.add(new byte[LEAKED_BYTES]);
            leaked.clear();
        }
        if (trial.isPlanted(Promise.MEMORY_FLAT)) {
            leaked.add(new byte[LEAKED_BYTES]);
        }
        countBytes(times);
        int place = (int) (times.tick() & (KEPT_TICKS - 1));
        ownNanos.setOpaque(place, ThreadCounts.cpuNanos() - cpuNanosBefore); // ordered by the count of ticks
        ticks.setRelease(ticks.getPlain() + 1);
        bytesBefore = ThreadCounts.allocatedBytes();
    }

    /** The instants of a tick, from which everything else is measured, are in order, and around those that are read here. */
    private void checkInstants(TickTimes times) {
        if (times.startedNanos() > steppingNanos
                || times.steppedNanos() < steppingNanos
                || times.publishedNanos() < times.steppedNanos()
                || times.publishedNanos() > System.nanoTime()) {
            trial.check(Promise.TICKS_ADD_UP)
                    .broken("tick " + times.tick() + " was said to start at " + times.startedNanos()
                            + ", to have stepped at "
                            + times.steppedNanos() + " and to be published at " + times.publishedNanos()
                            + ", but its step was about to begin at " + steppingNanos + ", and this was read at "
                            + System.nanoTime());
        }
    }

    private void beSlow(long tick) {
        if (plan.has(StormPart.SLOW_LISTENER) && tick % plan.slowEveryTicks() == 0) {
            long nanos = MIN_SLOW_NANOS + (tick / plan.slowEveryTicks() * 7 % SLOW_STEPS) * SLOW_STEP_NANOS;
            ThreadCounts.compute(nanos);
        }
    }

    /**
     * A tick that changes the speed of time may make what that speed needs, which the length of the next tick shows. On a busy machine ticks
     * are late by times that are all different: one that is late, or makes the next one late, does not count.
     */
    private void countBytes(TickTimes times) {
        long dueNanos = times.dueNanos();
        long lengthNanos = dueNanos - dueNanosBefore;
        if (judgedBytes >= 0 && Math.abs(lengthNanos - lengthNanosBefore) <= ROUNDING_NANOS) {
            allocated.add(judgedBytes);
        }
        dueNanosBefore = dueNanos;
        lengthNanosBefore = lengthNanos;
        long worldBytes = world.allocatedBytes();
        disturbed |= world.takeAskedForShapes();
        boolean isOnTime =
                times.startedNanos() - dueNanos <= ON_TIME_NANOS && times.publishedNanos() - dueNanos <= lengthNanos;
        judgedBytes = !disturbed && countsBytes && isOnTime && ticks.getPlain() > WARM_UP_TICKS
                ? ThreadCounts.allocatedBytes() - bytesBefore - (worldBytes - worldBytesBefore)
                : -1;
        worldBytesBefore = worldBytes;
        disturbed = false;
    }

    /** How many ticks were published. Any thread. */
    long ticks() {
        return ticks.getAcquire();
    }

    /** What the world's code allocates in a tick, in bytes, on average. After the end. */
    double bytesPerTick() {
        return (double) world.allocatedBytes() / Math.max(1, ticks());
    }

    /** Compares who is blamed with how long the thread ran. */
    @Override
    public void late(long tick, long fromNanos, long toNanos, TakenTime judged) {
        if (tick >= ticks() || tick < ticks() - KEPT_TICKS || judged.unknownNanos() > BLAME_NANOS) {
            return; // a tick that went out with the service, or a system that does not count
        }
        TakenTime taken = trial.isPlanted(Promise.BLAMED)
                ? new TakenTime(judged.othersNanos(), judged.ticksNanos(), judged.jvmNanos(), 0)
                : judged;
        long own = Math.min(toNanos - fromNanos, ownNanos.getOpaque((int) (tick & (KEPT_TICKS - 1))));
        long leastNanos = own - BLAME_NANOS - (long) (BLAME_SHARE * own);
        if (leastNanos <= 0) {
            return; // whatever was said would be right
        }
        blamed.that(
                taken.ticksNanos() >= leastNanos,
                () -> "tick " + tick + " ran for " + own / 1e6 + " of " + (toNanos - fromNanos) / 1e6
                        + " ms, but it was said: " + taken.inMillis());
    }
}
