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
    static final long NOTHING = 0;

    private final Heartbeat heartbeat;
    private long lastBeat;
    private int alike;

    Watchdog(Heartbeat heartbeat) {
        this.heartbeat = heartbeat;
    }

    /** The beat of a piece of user's code that was seen for the time allowed, or {@link #NOTHING}. */
    long look() {
        long beat = heartbeat.beat();
        if (beat != lastBeat || !Heartbeat.isInUserCode(beat)) {
            lastBeat = beat;
            alike = 0;
            return NOTHING;
        }
        alike++;
        return alike >= LOOKS ? beat : NOTHING;
    }
}
