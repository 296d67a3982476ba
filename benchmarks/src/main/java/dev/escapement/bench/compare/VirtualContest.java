package dev.escapement.bench.compare;

import dev.escapement.bench.compare.ContestantMeter.Measured;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * A load on a display, for one contestant after the other, on a virtual clock: so long that everything has been learned, then measured.
 *
 * @param load    what steps take
 * @param refresh the rates of ticks and frames
 */
record VirtualContest(LoadProfile load, RefreshCase refresh) {

    /** How long frames are left out at first. */
    static final int WARM_UP_SECONDS = 12;

    /** How long frames are measured. */
    static final int MEASURED_SECONDS = 20;

    private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(WARM_UP_SECONDS);
    private static final long COVER_STEP_NANOS = 500_000;
    private static final long MOST_COVER_NANOS = 10_000_000;
    private static final long END_NANOS = WARM_UP_NANOS + TimeUnit.SECONDS.toNanos(MEASURED_SECONDS);

    /** Measures a contestant. */
    Measured measure(Contestant contestant) {
        return measure(contestant, new VirtualDisplay(refresh.display()));
    }

    /** Measures a contestant whose renderer stops for a second, so long after the start of the measurement. */
    Measured measureWithFreeze(Contestant contestant, int afterSeconds) {
        long fromNanos = WARM_UP_NANOS + TimeUnit.SECONDS.toNanos(afterSeconds);
        return measure(contestant, new VirtualDisplay(refresh.display(), fromNanos, TimeUnit.SECONDS.toNanos(1)));
    }

    private Measured measure(Contestant contestant, VirtualDisplay display) {
        if (contestant.place() == Contestant.Place.TWO_THREADS) {
            return twoThreads(contestant, bestCoverNanos(contestant), display, UnaryOperator.identity());
        }
        WorkClock.Virtual clock = new WorkClock.Virtual();
        TickedScene scene = new TickedScene(load, clock);
        GameLoop loop = contestant.place() == Contestant.Place.ONE_THREAD
                ? GameLoops.create(contestant, scene, load, refresh, clock)
                : GameLoops.beside(scene, refresh.tickRate(), clock, Runnable::run);
        ContestantMeter meter = newMeter(contestant);
        runOneThread(loop, clock, display, meter, END_NANOS);
        return meter.measured();
    }

    /**
     * Runs a loop in one thread, with a swap that waits: a frame begins in a slot of the display, its picture is shown in the first slot
     * not before its end, and there the next frame begins.
     */
    static void runOneThread(
            GameLoop loop, WorkClock.Virtual clock, VirtualDisplay display, ContestantMeter meter, long endNanos) {
        while (clock.nanoTime() < endNanos) {
            long beginNanos = clock.nanoTime();
            loop.frame();
            clock.spend(display.takeFreezeNanos(beginNanos));
            long slotNanos = display.slotNanos(clock.nanoTime());
            meter.frame(loop.picture(), slotNanos);
            clock.spendUntil(slotNanos);
        }
    }

    /** Measures a contestant with two threads, whose pattern tests may change. */
    Measured twoThreads(
            Contestant contestant, long coverNanos, VirtualDisplay display, UnaryOperator<ThreadPattern> change) {
        boolean framesWaitForSteps = contestant == Contestant.LOCK_AND_COPY;
        TwoThreads threads = new TwoThreads(display, framesWaitForSteps);
        TickedScene scene = new TickedScene(load, threads);
        ThreadPattern pattern = change.apply(ThreadPattern.of(contestant, scene, refresh.tickRate(), coverNanos));
        ContestantMeter meter = newMeter(contestant);
        threads.run(pattern, refresh.tickRate(), meter, END_NANOS);
        return meter.measured();
    }

    private ContestantMeter newMeter(Contestant contestant) {
        return new ContestantMeter(contestant, load, refresh, 0, WARM_UP_NANOS);
    }

    /**
     * Finds, by trying, the fixed delay with which {@link Contestant#TWO_BY_DUE} has the least mean error, which a program cannot know
     * beforehand; 0 for the others.
     */
    long bestCoverNanos(Contestant contestant) {
        long best = 0;
        double least = Double.POSITIVE_INFINITY;
        for (long nanos = 0;
                contestant == Contestant.TWO_BY_DUE && nanos <= MOST_COVER_NANOS;
                nanos += COVER_STEP_NANOS) {
            VirtualDisplay display = new VirtualDisplay(refresh.display());
            double mean = twoThreads(contestant, nanos, display, UnaryOperator.identity())
                    .result()
                    .errorMicros()
                    .mean();
            if (mean < least) {
                least = mean;
                best = nanos;
            }
        }
        return best;
    }
}
