package dev.escapement.physics.schedule;

import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Requests to change simulated time: pause, resume, single steps, scale.
 *
 * <p>The physics thread applies them at the end of a tick or, if slow motion makes the next tick far away, at once within it. No reader has
 * shown the time after that moment yet, so no change makes the picture jump.
 *
 * <p>Any thread may request; the physics thread alone calls {@link #endTick()} and {@link #mayResume()}.
 *
 * <p>See {@code TickingWorld.pause}.
 */
public final class TimeRequests {

    private static final int RUN = -1;
    private static final int STAND_STILL = 0;

    private final TickRate rate;

    /**
     * The requested course of time, one atomic number, so that requests of several threads cannot mix:
     *
     * <pre>
     *   -1 (RUN)          time runs without end
     *    0 (STAND_STILL)  time stands still from now on, or from the end of this tick on
     *    n                n more ticks run, then time stands still
     * </pre>
     *
     * Volatile accesses of any thread; nothing else is ordered by it.
     */
    private final AtomicInteger wanted = new AtomicInteger(RUN);

    // Volatile: any thread writes it, and the physics thread reads a whole object; nothing else is ordered by it.
    private volatile TimeScale requestedScale = TimeScale.ONE;

    /**
     * Creates requests for time that runs at normal speed.
     *
     * @param rate the rate of the ticks
     */
    public TimeRequests(TickRate rate) {
        this.rate = rate;
    }

    /** Requests that time stands still: at once if the next tick is far away, else after the tick that runs now, or the next one. */
    public void pause() {
        wanted.set(STAND_STILL);
    }

    /** Requests that time resumes. */
    public void resume() {
        wanted.set(RUN);
    }

    /**
     * Requests the course of time that {@link #ticksLeft()} returned when a state was saved.
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
    public void requestScale(TimeScale scale) {
        Objects.requireNonNull(scale, "scale must not be null; for real time pass TimeScale.ONE, to stop time, pause");
        scale.times(rate); // throws here, in the caller, and not on the physics thread
        requestedScale = scale;
    }

    /** {@return the scale that was requested last} */
    public TimeScale requestedScale() {
        return requestedScale;
    }

    /** {@return the number of ticks until time stands still, by the present requests; negative if time runs without end} */
    public int ticksLeft() {
        return wanted.get();
    }

    /**
     * {@return whether time is to stand still after a tick that has just ended} Counts the tick against the requested steps. Physics
     * thread.
     */
    public boolean endTick() {
        return wanted.updateAndGet(ticks -> ticks > STAND_STILL ? ticks - 1 : ticks) == STAND_STILL;
    }

    /** {@return whether a resume or a step was requested} Physics thread, while time stands still. */
    public boolean mayResume() {
        return wanted.get() != STAND_STILL;
    }
}
