package dev.escapement.bench.compare.virtual;

import dev.escapement.bench.compare.contest.Contestant;
import dev.escapement.bench.compare.contest.LoadProfile;
import dev.escapement.bench.compare.contest.RefreshCase;
import dev.escapement.bench.compare.loop.GameLoop;
import dev.escapement.bench.compare.loop.GameLoops;
import dev.escapement.bench.compare.measure.FrameMeasure;
import dev.escapement.bench.compare.measure.Measured;
import dev.escapement.bench.compare.picture.ThreadPattern;
import dev.escapement.bench.compare.scene.TickedScene;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * A load on a display, for one contestant after the other, on a virtual clock: so long that everything has been learned, then measured.
 *
 * @param load    what steps take
 * @param refresh the rates of ticks and frames
 */
public record VirtualContest(LoadProfile load, RefreshCase refresh) {

    /** How long frames are left out at first. */
    public static final int WARM_UP_SECONDS = 12;

    /** How long frames are measured. */
    public static final int MEASURED_SECONDS = 20;

    private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(WARM_UP_SECONDS);
    private static final long END_NANOS = WARM_UP_NANOS + TimeUnit.SECONDS.toNanos(MEASURED_SECONDS);

    /** What a contestant does. */
    public Measured measure(Contestant contestant) {
        return measure(contestant, Freeze.none());
    }

    /** What a contestant does when its renderer stops for a second, so long after the start of the measurement. */
    public Measured measureWithFreeze(Contestant contestant, int afterSeconds) {
        long fromNanos = WARM_UP_NANOS + TimeUnit.SECONDS.toNanos(afterSeconds);
        return measure(contestant, Freeze.of(fromNanos, TimeUnit.SECONDS.toNanos(1)));
    }

    private Measured measure(Contestant contestant, Freeze freeze) {
        return switch (contestant.place()) {
            case ONE_THREAD -> {
                VirtualClock clock = new VirtualClock();
                yield loop(contestant, GameLoops.create(contestant, load, refresh, clock), clock, freeze);
            }
            case JOINED_THREADS -> {
                VirtualClock clock = new VirtualClock();
                TickedScene scene = new TickedScene(load, clock);
                yield loop(contestant, new StepBesideFrame(scene, refresh.tickRate(), clock), clock, freeze);
            }
            case TWO_THREADS -> threads(contestant, bestCoverNanos(contestant), freeze, UnaryOperator.identity());
        };
    }

    private Measured loop(Contestant contestant, GameLoop loop, VirtualClock clock, Freeze freeze) {
        FrameMeasure measure = newMeasure(contestant);
        new OneThread(clock, new VirtualDisplay(refresh.display()), freeze).run(loop, measure, END_NANOS);
        return measure.measured();
    }

    /** Two threads, with a pattern that tests may change. */
    Measured threads(Contestant contestant, long coverNanos, Freeze freeze, UnaryOperator<ThreadPattern> change) {
        boolean framesWaitForSteps = contestant == Contestant.LOCK_AND_COPY;
        TwoThreads threads = new TwoThreads(new VirtualDisplay(refresh.display()), freeze, framesWaitForSteps);
        TickedScene scene = new TickedScene(load, threads);
        ThreadPattern pattern = change.apply(ThreadPattern.of(contestant, scene, refresh.tickRate(), coverNanos));
        FrameMeasure measure = newMeasure(contestant);
        threads.run(pattern, refresh.tickRate(), measure, END_NANOS);
        return measure.measured();
    }

    private FrameMeasure newMeasure(Contestant contestant) {
        return new FrameMeasure(contestant, load, refresh, 0, WARM_UP_NANOS);
    }

    /** The one delay with which {@link Contestant#TWO_BY_DUE} errs least, more than anybody can know; 0 for the others. */
    public long bestCoverNanos(Contestant contestant) {
        return contestant == Contestant.TWO_BY_DUE ? BestCover.nanos(this) : 0;
    }
}
