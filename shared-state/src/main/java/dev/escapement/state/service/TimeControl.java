package dev.escapement.state.service;

import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;

/**
 * The simulated time of a running world: it can be paused, stepped tick by tick, slowed down and sped up.
 *
 * <pre>{@code
 * time.pause();
 * time.step();                            // one tick
 * time.timeScale(new TimeScale(1, 4));    // slow motion
 * time.resume();
 * }</pre>
 *
 * <p>Any thread may call any method, unless the implementation says otherwise.
 */
public interface TimeControl {

    /**
     * Pauses simulated time at the end of the next tick, because readers already show the time before it. Until then at most one tick of
     * simulated time passes: its length divided by the scale, which is 10 s at 100 Hz and 1/1000.
     */
    void pause();

    /** Resumes simulated time now; for a world that is ticked in a loop of the caller, the next time that loop runs ticks. */
    void resume();

    /** Runs one tick at the current speed, then pauses. A tick that runs now counts. */
    void step();

    /**
     * Sets the speed of simulated time from the end of the next tick on, for the same reason as {@link #pause()}. The simulated length of a
     * tick does not change: with the same input per tick, the states are the same at every speed.
     *
     * @param scale simulated over real time
     * @throws IllegalArgumentException if the rate times the scale is no {@link TickRate}
     */
    void timeScale(TimeScale scale);

    /**
     * The speed of simulated time that was set last.
     *
     * @return simulated over real time, also while it stands still
     */
    TimeScale timeScale();

    /**
     * The rate of the ticks.
     *
     * @return ticks per second of simulated time
     */
    TickRate rate();
}
