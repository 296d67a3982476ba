package dev.escapement.physics;

import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What users want of time, until the physics thread sees to it at the end of a tick: there, nothing after the tick has been
 * shown yet, so that no change makes the picture jump.
 *
 * <p>Never within a tick, though one takes long in slow motion: at most one tick of simulated time passes before a change, its length
 * over the scale of real time. Pieces of the timeline begin at whole ticks, which makes every due time exact, and one line from tick to
 * tick is what places input within a tick.
 *
 * <p>Any thread may ask for changes; the physics thread alone applies them.
 */
final class TimeControl {

    private static final int RUN = -1;
    private static final int STAND_STILL = 0;

    private final TickRate rate;

    /** RUN, STAND_STILL, or how many ticks to run before standing still. One number, so that requests cannot mix. */
    private final AtomicInteger wanted = new AtomicInteger(RUN);

    // Volatile: written by whoever asks, read by the physics thread; nothing else is ordered by it.
    private volatile TimeScale scaleWanted = TimeScale.ONE;

    TimeControl(TickRate rate) {
        this.rate = rate;
    }

    void pause() {
        wanted.set(STAND_STILL);
    }

    void resume() {
        wanted.set(RUN);
    }

    /** Asks for one more tick before time stands still. */
    void step() {
        wanted.updateAndGet(ticks -> Math.max(STAND_STILL, ticks) + 1);
    }

    void scale(TimeScale scale) {
        Objects.requireNonNull(scale, "scale must not be null; for real time pass TimeScale.ONE, to stop time, pause");
        scale.times(rate); // what cannot be is the caller's error, not the physics thread's
        scaleWanted = scale;
    }

    TimeScale scale() {
        return scaleWanted;
    }

    /** Physics thread, at the end of a tick. */
    void applyTo(TickSchedule schedule, long nowNanos) {
        schedule.scale(scaleWanted);
        int left = wanted.updateAndGet(ticks -> ticks > STAND_STILL ? ticks - 1 : ticks);
        if (left == STAND_STILL) {
            schedule.pause(nowNanos);
        }
    }

    /** Physics thread, while time stands still. */
    boolean mayGoOn() {
        return wanted.get() != STAND_STILL;
    }
}
