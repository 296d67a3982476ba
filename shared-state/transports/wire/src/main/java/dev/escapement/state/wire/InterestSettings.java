package dev.escapement.state.wire;

/**
 * How often and how much one client with an {@link Interest} is sent.
 *
 * <pre>{@code
 * new InterestSettings(30, 300, 40_000)   // 30 times a second, 300 bodies, 40 kB/s
 * }</pre>
 *
 * <p>Each time that something is sent, all bodies of the interest are told as they are. So what a client knows of any of them is as old as the
 * packets are under way, and three times the time from one send to the next at most (100 ms for 30 sends a second), unless three packets in a row
 * are lost. If that is more than the cap lets through, those that matter least leave the interest, and come back when there is room.
 *
 * @param sendsPerSecond how often something is sent, if the world ticks so often; at least each 16th tick is sent
 * @param maxBodies     how many bodies are sent at most, those that matter most
 * @param bytesPerSecond the cap: of all packets to the client, without what IP, UDP and encryption add; a quarter of it may go out at once
 */
public record InterestSettings(int sendsPerSecond, int maxBodies, int bytesPerSecond) {

    /** 30 times a second, 300 bodies, 40 kB/s. */
    public static final InterestSettings DEFAULT = new InterestSettings(30, 300, 40_000);

    private static final int MAX_SENDS = 1000;
    private static final int MAX_BODIES = 16_384;
    private static final int LEAST_BYTES = 4_000;
    private static final int MAX_BYTES = 40_000_000;

    /**
     * Checks the settings.
     *
     * @param sendsPerSecond how often something is sent
     * @param maxBodies     how many bodies are sent at most
     * @param bytesPerSecond the cap
     * @throws IllegalArgumentException if a number is out of its range
     */
    public InterestSettings {
        check("sends a second", sendsPerSecond, 1, MAX_SENDS);
        check("bodies", maxBodies, 1, MAX_BODIES);
        check("bytes a second", bytesPerSecond, LEAST_BYTES, MAX_BYTES);
    }

    private static void check(String what, int value, int least, int max) {
        if (value < least || value > max) {
            throw new IllegalArgumentException(
                    "an interest has " + least + " to " + max + " " + what + ", but not " + value);
        }
    }
}
