package dev.escapement.physics.request;

import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Requests to change simulated time: pause, resume, single steps, scale. The physics thread applies them at the end of a tick. Readers have
 * not shown any time after that tick yet, so no change makes the picture jump.
 *
 * <p>They are never applied within a tick, even if slow motion makes it long: up to one tick, its length divided by the scale, passes
 * before a change. So pieces of the timeline begin at whole ticks, every due time is exact, and time is linear within a tick when input is
 * placed in it.
 *
 * <p>Any thread may request; the physics thread alone calls {@link #endTick()} and {@link #mayResume()}.
 *
 * @see dev.escapement.physics.TickingWorld#pause()
 */
public final class TimeRequests {

    private static final int RUN = -1;
    private static final int STAND_STILL = 0;

    private final TickRate rate;

    /** RUN, STAND_STILL, or how many ticks to run before time stands still. One atomic number, so that requests cannot mix. */
    private final AtomicInteger wanted = new AtomicInteger(RUN);

    // Volatile: written by any thread, read by the physics thread; nothing else is ordered by it.
    private volatile TimeScale scaleWanted = TimeScale.ONE;

    /**
     * Creates requests for time that runs at normal speed.
     *
     * @param rate the rate of the ticks
     */
    public TimeRequests(TickRate rate) {
        this.rate = rate;
    }

    /** Requests that time stands still after the tick that runs now, or the next one. */
    public void pause() {
        wanted.set(STAND_STILL);
    }

    /** Requests that time resumes. */
    public void resume() {
        wanted.set(RUN);
    }

    /**
     * Requests what {@link #ticksLeft()} was when a state was saved.
     *
     * @param ticks how many ticks run before time stands still; negative if it runs without end
     */
    public void resumeFor(int ticks) {
        wanted.set(Math.max(RUN, ticks));
    }

    /** Requests one more tick before time stands still. */
    public void step() {
        wanted.updateAndGet(ticks -> Math.max(STAND_STILL, ticks) + 1);
    }

    /**
     * Requests another speed.
     *
     * @param scale simulated over real time
     * @throws IllegalArgumentException if the rate times the scale is no {@link TickRate}
     */
    public void scale(TimeScale scale) {
        Objects.requireNonNull(scale, "scale must not be null; for real time pass TimeScale.ONE, to stop time, pause");
        scale.times(rate); // throws here, in the caller, and not on the physics thread
        scaleWanted = scale;
    }

    /** {@return the scale that was requested last} */
    public TimeScale scale() {
        return scaleWanted;
    }

    /** {@return how many ticks run before time stands still, as far as is requested now; negative if time runs without end} */
    public int ticksLeft() {
        return wanted.get();
    }

    /** {@return whether time is to stand still after a tick that has just ended} Counts the tick. Physics thread. */
    public boolean endTick() {
        return wanted.updateAndGet(ticks -> ticks > STAND_STILL ? ticks - 1 : ticks) == STAND_STILL;
    }

    /** {@return whether a resume or a step was requested} Physics thread, while time stands still. */
    public boolean mayResume() {
        return wanted.get() != STAND_STILL;
    }
}
