package dev.escapement.physics.log;

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
        assertRefused("has what cannot be");
        payload.putLong(EVENT_AT + 16, -1);
        assertRefused("has what cannot be");
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

    private void assertRefused(String why) {
        assertThat(new TickDecoder(1).decode(payload.rewind())).contains(why);
    }
}
