package dev.escapement.bench.compare;

import dev.escapement.bench.compare.Picture.AlphaRule;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.render.gameloop.Accumulator;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TimeScale;
import java.util.Locale;
import java.util.function.Function;

/**
 * The game loops and thread patterns that are compared: ways to simulate at a constant step and to draw at another rate. They have the
 * order of the literature: loops in one thread, then patterns between two threads. The library's service is last.
 */
enum Contestant {
    FRAME_LOCKED("1", "tick per frame", loops -> loops.newest(loops.tickPerFrame())),
    FRAME_LIMITER("1a", "frame limiter", GameLoops::limited),
    VARIABLE_STEP("2", "variable step", GameLoops::variableStep),
    CAPPED_TICKS(
            "3",
            "capped ticks",
            loops -> loops.newest(new FramePolicies.CappedTicks(loops.rate(), GameLoops.MAX_TICKS))),
    COUNTED_FIRST("3a", "ticks counted first", GameLoops::countedFirst),
    ABSOLUTE_TIME(
            "4",
            "absolute time",
            loops -> loops.blended(
                    new FramePolicies.AbsoluteTicks(loops.rate(), GameLoops.MAX_TICKS), GameLoops.MAX_TICKS, 1)),
    REFRESH_QUANTISED("5", "refresh-quantised", loops -> loops.quantised(15)),
    LIE_ABOUT_TIME("5a", "lie about time", loops -> loops.quantised(10)),
    PASS_REAL_TIME("5b", "pass real time", GameLoops::passingRealTime),
    ACCUMULATOR("6", "accumulator", loops -> loops.blended(GameLoops.QUARTER_SECOND)),
    MEAN_FRAME_RATE("6a", "mean frame rate", GameLoops::meanFrameRate),
    TIME_READ_AGAIN("6b", "clock read again", loops -> loops.blended(GameLoops.QUARTER_SECOND, GameLoops.ALL, 4)),
    NEXT_TICK("7", "next tick", loops -> loops.newest(Accumulator.WITHOUT_LOSS)),
    SOFTENED("8", "softened steps", GameLoops::softened),
    EXTRAPOLATION("9", "extrapolation", GameLoops::extrapolated),
    SLOW_MOTION("10", "slow motion", loops -> loops.blended(GameLoops.QUARTER_SECOND)),
    NEWEST("-", "newest snapshot", loops -> loops.twoLatest(AlphaRule.newest())),
    BY_ARRIVAL("-", "two latest by arrival", loops -> loops.twoLatest(AlphaRule.byArrival())),
    TWO_BY_DUE("-", "two latest by due time", GameLoops::twoByDue),
    FRAME_QUEUE("-", "queue of snapshots", GameLoops::queued),
    LOCK_AND_COPY("-", "lock and copy", GameLoops::locked),
    /** The PARALLEL mode of jMonkeyEngine's physics. */
    STEP_BESIDE_FRAME("-", "step beside frame", GameLoops::besideFrames),
    SERVICE_2("13", "Escapement, K = 2", loops -> loops.service(2, 0)),
    SERVICE_3("13", "Escapement", loops -> loops.service(3, 0)),
    SERVICE_AHEAD("13", "Escapement, ahead", loops -> loops.service(Interpolation.MIN_SNAPSHOTS, 1)),
    SERVICE_SKIP("13", "Escapement, skip", loops -> loops.service(3, 0)),
    SERVICE_CATCH_UP("13", "Escapement, 40 ms late", loops -> loops.service(3, 0)),
    SERVICE_8("13", "Escapement, K = 8", loops -> loops.service(8, 0));

    /** The loop's number in the literature that the results page cites, "-" if it has none. */
    final String row;

    final String title;

    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    private final Function<GameLoops, GameLoop> loop;

    Contestant(String row, String title, Function<GameLoops, GameLoop> loop) {
        this.row = row;
        this.title = title;
        this.loop = loop;
    }

    GameLoop loop(GameLoops loops) {
        return loop.apply(loops);
    }

    /** Whether a physics thread runs ticks when they are due, independently of frames. */
    boolean hasTwoThreads() {
        return compareTo(NEWEST) >= 0 && this != STEP_BESIDE_FRAME;
    }

    /**
     * Whether this is the service with another policy for late ticks, or another window, than the default. This makes a difference only
     * where ticks are late.
     */
    boolean isForOverload() {
        return compareTo(SERVICE_SKIP) >= 0;
    }

    /**
     * Creates the driver of the contestant's ticks. The service treats late ticks by its policy. All other contestants run every tick,
     * however late, like {@code ScheduledExecutorService.scheduleAtFixedRate}.
     */
    InlineDriver driver(PhysicsServiceBuilder builder, NanoClock clock) {
        return switch (this) {
            case SERVICE_2, SERVICE_3, SERVICE_8, SERVICE_AHEAD ->
                builder.lateTicks(LateTicks.dilate()).inline(clock);
            case SERVICE_SKIP -> builder.lateTicks(LateTicks.catchUp(0)).inline(clock);
            case SERVICE_CATCH_UP ->
                builder.lateTicks(LateTicks.catchUp(40_000_000)).inline(clock);
            default -> builder.inline(clock);
        };
    }

    /** Whether all steps have the same length, so that the simulated states do not depend on the frame rate. */
    boolean hasConstantStep() {
        return this != VARIABLE_STEP && this != PASS_REAL_TIME;
    }

    /**
     * Whether the world follows real time, so that its look-behind is defined. The other worlds advance per frame, or slower than real time
     * on purpose.
     */
    boolean keepsTime() {
        return this != FRAME_LOCKED && this != FRAME_LIMITER && this != MEAN_FRAME_RATE && this != SLOW_MOTION;
    }

    TimeScale timeScale() {
        return this == SLOW_MOTION ? new TimeScale(1, 10) : TimeScale.ONE;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
