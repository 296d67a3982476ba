package dev.escapement.physics;

import dev.escapement.state.time.TimeScale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What users want of time, until the physics thread sees to it at the end of a tick: there, nothing after the tick has been
 * shown yet, so that no change makes the picture jump.
 *
 * <p>Any thread may ask for changes; the physics thread alone applies them.
 */
final class TimeControl {

    // Volatile: written by whoever asks, read by the physics thread; nothing else is ordered by them. A pause that is
    // seen
    // a tick later is a pause that was asked for a tick later.
    private volatile boolean pauseWanted;
    private volatile TimeScale scaleWanted = TimeScale.ONE;

    private final AtomicInteger stepsWanted = new AtomicInteger();

    void pause() {
        pauseWanted = true;
    }

    void resume() {
        stepsWanted.set(0);
        pauseWanted = false;
    }

    /** Asks for one more tick before time stands still again. */
    void step() {
        stepsWanted.incrementAndGet();
        pauseWanted = true;
    }

    void scale(TimeScale scale) {
        scaleWanted = Objects.requireNonNull(scale, "a time scale must not be null; to stop time, pause");
    }

    TimeScale scale() {
        return scaleWanted;
    }

    /** Physics thread, at the end of a tick. */
    void applyTo(TickSchedule schedule) {
        schedule.scale(scaleWanted);
        if (pauseWanted) {
            int left = stepsWanted.updateAndGet(steps -> Math.max(0, steps - 1));
            if (left == 0) {
                schedule.pause();
            }
        }
    }

    /** Physics thread, while time stands still. */
    boolean mayGoOn() {
        return !pauseWanted || stepsWanted.get() > 0;
    }
}
