package dev.escapement.bench.compare;

import dev.escapement.bench.compare.Picture.AlphaRule;
import dev.escapement.physics.loop.AbsoluteTicks;
import dev.escapement.physics.loop.Accumulator;
import dev.escapement.physics.loop.CappedTicks;
import dev.escapement.physics.loop.FrameLocked;
import dev.escapement.render.clock.LookAhead;
import dev.escapement.state.time.TimeScale;
import java.util.Locale;
import java.util.function.Function;

/**
 * The ways to simulate at a constant step and to draw at another rate, in the order of the literature: loops in one thread first, then
 * what people do between two threads, the service last.
 */
enum Contestant {
    FRAME_LOCKED("1", "tick per frame", loops -> loops.newest(new FrameLocked(loops.rate())), """
            One tick a frame, independent of time.
            The frame rate is the speed of the world: 0.6 of it at 60 frames a second, 2.4 at 240."""),
    FRAME_LIMITER("1a", "frame limiter", GameLoops::limited, """
            The same, but a frame waits until a tick's time has passed.
            Slow motion as soon as frames are longer than ticks; where they are not, the limiter and the display disagree."""),
    VARIABLE_STEP("2", "variable step", GameLoops::variableStep, """
            One step of what the last frame took.
            Looks well, but what happens in the world depends on the frame rate: stiff springs explode, bodies pass walls."""),
    CAPPED_TICKS("3", "capped ticks", loops -> loops.newest(new CappedTicks(loops.rate(), GameLoops.MOST_TICKS)), """
            As many ticks as have become due, at most 8 a frame; draws the last one.
            Frames show 0, 1 or 2 ticks more than the one before, at one and the same speed."""),
    COUNTED_FIRST("3a", "ticks counted first", GameLoops::countedFirst, """
            The same, counted before they are run; the state is saved after the last two only, and those are blended.
            Saves what costs least, and needs a world that can be saved as a whole; the rest is as in row 3."""),
    ABSOLUTE_TIME(
            "4",
            "absolute time",
            loops -> loops.blended(new AbsoluteTicks(loops.rate(), GameLoops.MOST_TICKS), GameLoops.MOST_TICKS, 1),
            """
            Ticks on absolute time, at most 8 a frame, then dropped to one; blends the last two.
            Physics stops with the renderer: a slow step is a slow frame, and a stall is time lost."""),
    REFRESH_QUANTISED("5", "refresh-quantised", loops -> loops.quantised(15), """
            Time in whole refresh periods, at most 1/15 s a frame; blends the last two.
            Right as long as no frame misses its slot; one that does is seen one frame late, as in every loop of one thread."""),
    LIE_ABOUT_TIME("5a", "lie about time", loops -> loops.quantised(10), """
            The same, with at most 1/10 s a frame: of a longer one the simulation is not told.
            The world falls behind the clock in every stall."""),
    PASS_REAL_TIME("5b", "pass real time", GameLoops::passingRealTime, """
            A step a refresh period; of a frame above 1/10 s one step with all the time.
            A step that is not like the others: a character passes the gate that should have stopped it. Must step at \
            the display's rate, and drowns where that is too much."""),
    ACCUMULATOR("6", "accumulator", loops -> loops.blended(GameLoops.QUARTER_SECOND), """
            As many ticks as have become due, of 1/4 s at most; blends the last two by what is left. The loop of most engines.
            Physics stops with the renderer, and a slow step is a frame that misses its slot."""),
    MEAN_FRAME_RATE("6a", "mean frame rate", GameLoops::meanFrameRate, """
            Tick rate over mean frame rate, rounded, is how many ticks a frame runs.
            Nothing is carried: the world runs at another speed, or not at all where frames are more than twice as many as ticks."""),
    TIME_READ_AGAIN("6b", "clock read again", loops -> loops.blended(GameLoops.QUARTER_SECOND, GameLoops.ALL, 4), """
            Accumulator that reads the clock again after its ticks, and runs what has become due meanwhile.
            The state is nearer to now, but by another amount in every frame, which is seen."""),
    CALLBACK_ENGINE("6c", "callback engine", loops -> loops.blended(GameLoops.QUARTER_SECOND), """
            The same over an engine that tells poses by callback, in every step; the last two are kept and blended when drawn.
            As row 6. Code that blends within the callback works for frames that are never drawn."""),
    NEXT_TICK("7", "next tick", loops -> loops.newest(Accumulator.WITHOUT_LOSS), """
            While it is time for the next tick, run it; draws the last one. Catches up, however much it is.
            Never loses time, but stutters like every loop that does not blend; after a stall it runs all that was missed at once."""),
    SOFTENED("8", "softened steps", GameLoops::softened, """
            Accumulator that charges steps with more than their length when they take longer; draws the last one.
            The world slows down by how fast the machine is. Without overload, as here, it is row 3."""),
    EXTRAPOLATION("9", "extrapolation", GameLoops::extrapolated, """
            Accumulator that draws the last tick and goes on as the one before it did.
            No delay, but wrong at every change: a ball dives into the floor and comes back."""),
    SLOW_MOTION("10", "slow motion", loops -> loops.blended(GameLoops.QUARTER_SECOND), """
            Accumulator at a tenth of real time, measured against that.
            Nothing: the same ticks, blended over ten times as many frames."""),
    NEWEST("-", "newest snapshot", loops -> loops.twoLatest(AlphaRule.newest()), """
            Physics on a thread of its own; a frame draws the newest snapshot.
            Ticks and frames beat against each other: the picture stands, or jumps by a tick."""),
    BY_ARRIVAL("-", "two latest by arrival", loops -> loops.twoLatest(AlphaRule.byArrival()), """
            Blends the two latest snapshots by the time since the newest was published. What most code does.
            Every jitter of the physics thread is a jitter of the picture."""),
    TWO_BY_DUE("-", "two latest by due time", GameLoops::twoByDue, """
            Blends the two latest snapshots by when they were due, behind by a delay chosen to fit this very load.
            Two snapshots are too few for a delay that varies: the picture holds when one is late and jumps when one is early."""),
    FRAME_QUEUE("-", "queue of snapshots", GameLoops::queued, """
            A bounded queue of 8 snapshots: a frame takes one, repeats where there is none; ticks are dropped when it is full.
            Full or empty: with fewer frames than ticks it is always full and late, with more it repeats."""),
    LOCK_AND_COPY("-", "lock and copy", GameLoops::locked, """
            One lock for the world, held while it is stepped, and by a frame while it copies.
            A frame that falls into a step waits for its end and may miss its slot; physics waits while a frame copies."""),
    /** The PARALLEL mode of jMonkeyEngine's physics. */
    STEP_BESIDE_FRAME("-", "step beside frame", GameLoops::besideFrames, """
            The ticks that are due are run by another thread while a frame is drawn, which shows the state before and then waits.
            Physics still stops with the renderer, the picture is a frame older, and nothing is blended."""),
    SERVICE_2("13", "Escapement, K = 2", loops -> loops.service(2, 0), """
            Escapement with windows of 2 snapshots: the time shown follows the due times.
            Holds as other pairs do; for the least memory and delay only."""),
    SERVICE_3("13", "Escapement", loops -> loops.service(3, 0), """
            Escapement: windows of 3 snapshots; the time shown follows the due times, behind by what the load needs.
            One tick and the publish delay are what it is behind."""),
    SERVICE_AHEAD("13", "Escapement, ahead", loops -> loops.service(LookAhead.LEAST_SNAPSHOTS, 1), """
            Escapement that looks a tick ahead, from windows of 4 snapshots: a tick younger, and as even.
            What is hit is drawn where it would have gone, until that is known.""");

    /** Its number among the loops of the literature, "-" if it is none. */
    final String row;

    /** What tables and plots call it. */
    final String title;

    final String whatItIs;
    final String whatGoesWrong;

    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    private final Function<GameLoops, GameLoop> loop;

    /** One of two lines: what it is, and what goes wrong. */
    Contestant(String row, String title, Function<GameLoops, GameLoop> loop, String lines) {
        this.row = row;
        this.title = title;
        this.loop = loop;
        int end = lines.indexOf('\n');
        whatItIs = lines.substring(0, end);
        whatGoesWrong = lines.substring(end + 1);
    }

    /** Its loop, which has run nothing yet. */
    GameLoop loop(GameLoops loops) {
        return loop.apply(loops);
    }

    /** Whether its steps run in a thread of their own that frames do not wait for. */
    boolean hasTwoThreads() {
        return compareTo(NEWEST) >= 0 && this != STEP_BESIDE_FRAME;
    }

    /** Whether it is this project. */
    boolean isEscapement() {
        return compareTo(SERVICE_2) >= 0;
    }

    /** Whether all its steps are of one length, so that what happens in the world does not depend on the frames. */
    boolean hasConstantStep() {
        return this != VARIABLE_STEP && this != PASS_REAL_TIME;
    }

    /** Whether its world follows real time, so that it can be so much behind. The others step by frames, or not at real speed. */
    boolean keepsTime() {
        return this != FRAME_LOCKED && this != FRAME_LIMITER && this != MEAN_FRAME_RATE && this != SLOW_MOTION;
    }

    /** How fast its world is meant to run. */
    TimeScale timeScale() {
        return this == SLOW_MOTION ? new TimeScale(1, 10) : TimeScale.ONE;
    }

    /** What files call it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
