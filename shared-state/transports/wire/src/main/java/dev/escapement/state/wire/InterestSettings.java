package dev.escapement.state.wire;

import dev.escapement.state.time.TickRate;

/**
 * Limits on how often and how much a sender sends to one client with an {@link Interest}.
 *
 * <pre>{@code
 * new InterestSettings(30, 300, 40_000)   // 30 times a second, 300 bodies, 40 kB/s
 * }</pre>
 *
 * <p>Each send contains the newest state of all bodies of the interest. A client's state of a body is as old as the packet's travel time
 * plus at most three send intervals (100 ms for 30 sends a second), unless three packets in a row are lost. If the cap has no room for all,
 * the least important bodies leave the interest, and return when there is room.
 *
 * @param sendsPerSecond the number of sends per second, if the world ticks so often; at least each 16th tick is sent
 * @param maxBodies      the maximum number of bodies that are sent, the most important ones
 * @param bytesPerSecond the cap on all packets to the client, without the bytes that IP, UDP and encryption add; a quarter of it may go out
 *                       at once
 */
public record InterestSettings(int sendsPerSecond, int maxBodies, int bytesPerSecond) {

    /** The default: 30 sends a second, 300 bodies, 40 kB/s. */
    public static final InterestSettings DEFAULT = new InterestSettings(30, 300, 40_000);

    private static final int MAX_TICKS_PER_SEND = 16;
    private static final int MAX_SENDS = 1000;
    private static final int MAX_BODIES = 16_384;
    private static final int MIN_BYTES = 4_000;
    private static final int MAX_BYTES = 40_000_000;

    /**
     * Checks the settings.
     *
     * @param sendsPerSecond the number of sends per second
     * @param maxBodies      the maximum number of bodies that are sent
     * @param bytesPerSecond the cap
     * @throws IllegalArgumentException if a number is out of its range
     */
    public InterestSettings {
        check("sends a second", sendsPerSecond, 1, MAX_SENDS);
        check("bodies", maxBodies, 1, MAX_BODIES);
        check("bytes a second", bytesPerSecond, MIN_BYTES, MAX_BYTES);
    }

    double ticksPerSend(TickRate rate) {
        return Math.min(MAX_TICKS_PER_SEND, Math.max(1, rate.inHertz() / sendsPerSecond));
    }

    private static void check(String what, int value, int least, int max) {
        if (value < least || value > max) {
            throw new IllegalArgumentException(
                    "an interest has " + least + " to " + max + " " + what + ", but not " + value);
        }
    }
}
