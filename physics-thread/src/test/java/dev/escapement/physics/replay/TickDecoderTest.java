package dev.escapement.physics.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Payloads with a right checksum that no recording would write. */
class TickDecoderTest {

    private static final int EVENTS_AT = TickEncoder.FIXED_BYTES;
    private static final int EVENT_AT = EVENTS_AT + 4;
    private static final int LEVELS_AT = EVENT_AT + TickEncoder.EVENT_BYTES;
    private static final int BODIES_AT = LEVELS_AT + 4 + TickEncoder.LEVEL_BYTES;

    private final TickDecoder decoder = new TickDecoder(1);
    private final ByteBuffer payload = good();

    /** One event, one level, one body. */
    private static ByteBuffer good() {
        ByteBuffer payload = ByteBuffer.allocate(BODIES_AT + 8 + 6).order(ByteOrder.LITTLE_ENDIAN);
        payload.putLong(1).putLong(10).putDouble(0).putLong(77).put((byte) 0);
        payload.putInt(1).putLong(0).putLong(5).putLong(5).put((byte) 0);
        payload.put((byte) 1).putInt(87).putFloat(0).putFloat(0);
        payload.putInt(1).put((byte) 8).putInt(3).putFloat(0.5f);
        payload.putInt(1).putInt(1).putInt(0).putShort((short) 9);
        return payload.flip();
    }

    @Test
    void shouldReadWhatIsGood() {
        assertThat(decoder.decode(payload)).isNull();
        assertThat(decoder.tick().input().state().isKeyDown(87)).isTrue();
        assertThat(decoder.tick().input().state().axis(3)).isEqualTo(0.5f);
        assertThat(decoder.tick().digests.get(0, 0)).isEqualTo((short) 9);
    }

    @Test
    void shouldRefuseUnknownKinds() {
        payload.put(EVENT_AT + 25, (byte) 10);
        assertRefused("event of kind null");
        payload.put(EVENT_AT + 25, (byte) 1).put(LEVELS_AT + 4, (byte) -1);
        assertRefused("level of kind null");
    }

    @Test
    void shouldRefuseUnknownCodes() {
        payload.putInt(EVENT_AT + 26, 512);
        assertRefused("event of kind KEY_DOWN with code 512");
        payload.putInt(EVENT_AT + 26, 1).putInt(LEVELS_AT + 5, -1);
        assertRefused("level of kind AXIS_MOVED with code -1");
    }

    @Test
    void shouldRefuseUnknownFlags() {
        payload.put(EVENTS_AT - 1, (byte) 4);
        assertRefused("unknown flags 4");
    }

    @Test
    void shouldRefuseCountsWithoutBytes() {
        payload.putInt(EVENTS_AT, Integer.MAX_VALUE);
        assertRefused("fewer events than it says");
        payload.putInt(EVENTS_AT, 1).putInt(LEVELS_AT, Integer.MAX_VALUE);
        assertRefused("fewer levels than it says");
        payload.putInt(LEVELS_AT, 1).putInt(BODIES_AT, 1_000_000);
        assertRefused("cannot have 1000000 bodies, 1 of them changed");
        payload.putInt(BODIES_AT, Integer.MAX_VALUE);
        assertRefused("cannot have 2147483647 bodies, 1 of them changed");
        payload.putInt(BODIES_AT, 1).putInt(BODIES_AT + 4, 2);
        assertRefused("cannot have 1 bodies");
        payload.putInt(BODIES_AT + 4, 1).putInt(BODIES_AT + 8, 1);
        assertRefused("has no body 1");
    }

    @Test
    void shouldRefuseNegativeCounts() {
        payload.putInt(EVENTS_AT, -1);
        assertRefused("fewer events than it says");
        payload.putInt(EVENTS_AT, 1).putInt(LEVELS_AT, -1);
        assertRefused("fewer levels than it says");
    }

    @Test
    void shouldRefuseTimesThatCannotBe() {
        payload.putLong(8, 0);
        assertRefused("tick 1 cannot take 0 ns");
        payload.putLong(8, 10).putLong(EVENT_AT + 16, 11);
        assertRefused("has no place for an event 11 ns into it");
        payload.putLong(EVENT_AT + 16, -1);
        assertRefused("has no place for an event -1 ns into it");
        payload.putLong(EVENT_AT + 16, 0).put(EVENT_AT + 24, (byte) 2);
        assertRefused("has no place for an event 0 ns into it, after one 0 ns into it, late 2");
    }

    @Test
    void shouldRefuseALateEventWithinTheTick() {
        payload.put(EVENT_AT + 24, (byte) 1);
        assertRefused("has no place for an event 5 ns into it, after one 0 ns into it, late 1");
        payload.putLong(EVENT_AT + 16, 0);
        assertAccepted(payload);
    }

    @Test
    void shouldRefuseEventsThatAreNotInTheOrderOfTheirTime() {
        assertThat(new TickDecoder(1).decode(withEvents(4, 5, 5))).contains("an event at 4 ns after one at 5 ns");
        assertThat(new TickDecoder(1).decode(withEvents(6, 5, 4))).contains("an event 4 ns into it, after one 5 ns");
        assertAccepted(withEvents(5, 5, 5));
        assertAccepted(withEvents(6, 5, 6));
    }

    /** Clocks may wrap, and be negative. */
    @Test
    void shouldOrderEventsByTheDifferenceOfTheirTimes() {
        assertAccepted(withEvents(Long.MIN_VALUE, Long.MAX_VALUE, 5));
        assertThat(new TickDecoder(1).decode(withEvents(Long.MAX_VALUE, Long.MIN_VALUE, 5)))
                .contains("an event at 9223372036854775807 ns after one at -9223372036854775808 ns");
    }

    /** A second event, which comes after another one at 5 ns. */
    private ByteBuffer withEvents(long timeNanos, long timeNanosBefore, long offsetNanos) {
        ByteBuffer first = good().putLong(EVENT_AT + 8, timeNanosBefore).putInt(EVENTS_AT, 2);
        ByteBuffer two = ByteBuffer.allocate(first.limit() + TickEncoder.EVENT_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(first.slice(0, LEVELS_AT))
                .put(first.slice(EVENT_AT, TickEncoder.EVENT_BYTES))
                .put(first.slice(LEVELS_AT, first.limit() - LEVELS_AT));
        return two.putLong(LEVELS_AT + 8, timeNanos)
                .putLong(LEVELS_AT + 16, offsetNanos)
                .flip();
    }

    @Test
    void shouldRefuseABudgetThatIsNoNumber() {
        payload.putDouble(16, Double.NaN);
        assertRefused("tick 1 cannot say that NaN of the budget was used");
        payload.putDouble(16, Double.POSITIVE_INFINITY);
        assertRefused("tick 1 cannot say that Infinity of the budget was used");
    }

    /** Else the digests of a body would be those of one that was there before it. */
    @Test
    void shouldRefuseNewBodiesOfWhichNothingIsSaid() {
        assertAccepted(withBodies(2, 0, 1));
        assertThat(new TickDecoder(1).decode(withBodies(2, 0, 0))).contains("no body 0 as the next that changed");
        assertThat(new TickDecoder(1).decode(withBodies(2, 1, 0))).contains("no body 1 as the next that changed");
        assertThat(new TickDecoder(1).decode(withBodies(1, 0, 0))).contains("cannot have 1 bodies");
    }

    @Test
    void shouldRefuseABodyThatIsNotThere() {
        assertThat(decoder.decode(payload)).isNull();
        ByteBuffer second = good().putLong(0, 2).putInt(BODIES_AT + 8, 1);
        assertThat(decoder.decode(second)).contains("no body 1 as the next that changed: 1 bodies were there before");
    }

    private static ByteBuffer withBodies(int bodies, int first, int second) {
        ByteBuffer two = ByteBuffer.allocate(BODIES_AT + 8 + 12).order(ByteOrder.LITTLE_ENDIAN);
        two.put(good().limit(BODIES_AT)).putInt(bodies).putInt(2);
        return two.putInt(first)
                .putShort((short) 9)
                .putInt(second)
                .putShort((short) 10)
                .flip();
    }

    @Test
    void shouldRefuseBytesThatNobodyKnows() {
        ByteBuffer longer = ByteBuffer.allocate(payload.limit() + 1).order(ByteOrder.LITTLE_ENDIAN);
        longer.put(payload).rewind();
        assertThat(decoder.decode(longer)).contains("1 bytes too many");
    }

    /** A reason, or a tick, but never an exception. */
    @Test
    void shouldSurviveAnyBytes() {
        SplittableRandom random = new SplittableRandom(11);
        int refused = 0;
        for (int i = 0; i < 200_000; i++) {
            ByteBuffer bytes = good();
            for (int changes = random.nextInt(4); changes >= 0; changes--) {
                bytes.put(random.nextInt(bytes.limit()), (byte) random.nextInt());
            }
            bytes.limit(random.nextInt(8) == 0 ? random.nextInt(bytes.limit()) : bytes.limit());
            refused += new TickDecoder(1).decode(bytes) == null ? 0 : 1;
        }
        assertThat(refused).isBetween(100_000, 199_999);
    }

    private static void assertAccepted(ByteBuffer payload) {
        assertThat(new TickDecoder(1).decode(payload.rewind())).isNull();
    }

    private void assertRefused(String why) {
        assertThat(new TickDecoder(1).decode(payload.rewind())).contains(why);
    }
}
