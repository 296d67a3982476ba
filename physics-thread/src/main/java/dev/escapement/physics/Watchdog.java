package dev.escapement.physics;

/**
 * Finds a physics thread that hangs in the user's code, by looking at its {@link Heartbeat} every eighth of the time allowed.
 *
 * <p>It counts looks and not time: a process that was suspended has not hung, and time passes without looks.
 *
 * <p>One thread.
 */
final class Watchdog {

    static final int LOOKS = 8;

    private final Heartbeat heartbeat;
    private long lastBeat;
    private int alike;

    Watchdog(Heartbeat heartbeat) {
        this.heartbeat = heartbeat;
    }

    /** True once, when the same piece of user's code was seen for the time allowed; its thread is abandoned then. */
    boolean look() {
        long beat = heartbeat.beat();
        if (beat != lastBeat || !Heartbeat.isInUserCode(beat)) {
            lastBeat = beat;
            alike = 0;
            return false;
        }
        alike++;
        return alike >= LOOKS && heartbeat.abandon(beat);
    }
}
