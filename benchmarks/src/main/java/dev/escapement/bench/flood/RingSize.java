package dev.escapement.bench.flood;

/** How large a ring is, for so many events a second that are taken out at {@link Flood#RATE}. */
public final class RingSize {

    private RingSize() {}

    /**
     * What a user would choose: room for two ticks.
     *
     * @param perSecond how many events are offered a second
     * @return a capacity
     */
    public static int ample(int perSecond) {
        return powerOfTwoFrom(Math.max(1, 2 * perTick(perSecond)));
    }

    /**
     * Room for a tenth of a tick or a little more, so that most is refused.
     *
     * @param perSecond how many events are offered a second
     * @return a capacity
     */
    public static int tooSmall(int perSecond) {
        return powerOfTwoFrom(Math.max(1, perTick(perSecond) / 10));
    }

    private static int perTick(int perSecond) {
        return Math.toIntExact(perSecond / Math.round(Flood.RATE.inHertz()));
    }

    private static int powerOfTwoFrom(int least) {
        return Integer.highestOneBit(2 * least - 1);
    }
}
