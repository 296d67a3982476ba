package dev.escapement.state.wire.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.time.ManualClock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how a server stamps and takes a client's events. The client's clock is an hour ahead. */
class RemoteClientTest {

    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long AHEAD = TimeUnit.HOURS.toNanos(1);

    private final ManualClock clock = new ManualClock(Long.MAX_VALUE - 2 * AHEAD);
    private final long startNanos = clock.nanoTime();
    private final InputRing ring = new InputRing(256, clock);
    private final InputSampler sampler = new InputSampler(ring);
    private final List<Traffic> counted = new ArrayList<>();
    private final byte[] session = new byte[Protocol.SESSION_BYTES];
    private final RemoteClient client = new RemoteClient(
            session,
            PacketSeal.ofServer(null, session, 0),
            Limits.DEFAULT,
            EndpointFixture.sender(EndpointFixture.newExchange()).newReceiver(TestNetwork.address(1)),
            counted::add);

    @Test
    void shouldStampWhatCameTheFastestWayWithItsArrival() {
        arrive(30, 20, 1, 20);
        assertThat(taken()).containsExactly("1 at 30");
        arrive(41, 40, 2, 40); // this packet was faster by 9 ms, so the clock offset falls
        assertThat(taken()).containsExactly("2 at 41");
        arrive(90, 60, 3, 55, 57, 60); // a slow packet: its events get the fastest packet's offset, 1 ms
        assertThat(taken()).containsExactly("3 at 56", "4 at 58", "5 at 61");
    }

    @Test
    void shouldForgetARouteThatIsNoLongerAsFast() {
        arrive(20, 20, 1, 20);
        for (int second = 1; second <= 11; second++) {
            arrive(second * 1000L + 50, second * 1000L, 2);
        }
        arrive(11_150, 11_100, 2, 11_100);
        assertThat(taken()).containsExactly("1 at 20", "2 at 11150");
    }

    @Test
    void shouldStampWithinTheLastQuarterSecond() {
        arrive(1000, 1000, 1, 1100, 751, 750, 749, 0, -4_000_000);
        assertThat(taken()).containsExactly("3 at 750", "4 at 750", "5 at 750", "6 at 750", "2 at 751", "1 at 1000");
    }

    /** The second packet was faster, so the clock offset falls. Even so, later events get no earlier stamps. */
    @Test
    void shouldNotStampAnEventBeforeOneThatHappenedEarlier() {
        arrive(60, 0, 1, 0);
        arrive(61, 11, 2, 1, 0, 9);
        assertThat(taken()).containsExactly("3 at 50", "1 at 60", "2 at 60", "4 at 60");
    }

    @Test
    void shouldTakeNoMoreThanTheRateAllows() {
        arrive(1000, 1000, 1, new long[250]);
        assertThat(client.lastTaken()).isEqualTo(200);
        arrive(1010, 1010, 201, new long[50]);
        assertThat(client.lastTaken()).isEqualTo(210);
        taken();
        arrive(9000, 9000, 211, new long[250]);
        assertThat(client.lastTaken()).isEqualTo(410);
    }

    @ParameterizedTest
    @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
    void shouldDropWhatIsNoEvent(float noPlace) {
        ByteBuffer packet = packet(1, 1, 1, 1, 1, 1, 1, 1);
        write(packet, 0, (byte) 200, 1, 0, 0);
        write(packet, 1, InputKind.KEY_DOWN.number(), -1, 0, 0);
        write(packet, 2, InputKind.AXIS_MOVED.number(), 1, noPlace, 0);
        write(packet, 3, InputKind.WHEEL.number(), 1, 0, noPlace);
        write(packet, 4, InputKind.APPLICATION.number(), 5, noPlace, 0);
        assertThat(client.takeInputs(packet, ring, clock.nanoTime())).isTrue();
        assertThat(client.lastTaken()).isEqualTo(6);
        assertThat(taken()).as("what an application means by it is its own").containsExactly("5 at 0", "6 at 0");
        assertThat(counted).filteredOn(Traffic.INPUTS_DROPPED::equals).hasSize(4);
    }

    private static void write(ByteBuffer packet, int event, byte kind, int code, float x, float y) {
        int at = 2 * Long.BYTES + 1 + Long.BYTES + event * Protocol.EVENT_BYTES;
        packet.put(at, kind).putInt(at + 1, code).putFloat(at + 5, x).putFloat(at + 9, y);
    }

    /** Creates a packet with events that happened at the given milliseconds of the server's clock. */
    private ByteBuffer packet(long sentMillis, long first, long... stampMillis) {
        ByteBuffer packet = ByteBuffer.allocate(10_000);
        packet.putLong(client(sentMillis)).putLong(first).put((byte) stampMillis.length);
        for (int i = 0; i < stampMillis.length; i++) {
            packet.putLong(client(stampMillis[i])).put(InputKind.APPLICATION.number());
            packet.putInt((int) first + i).putFloat(0).putFloat(0);
        }
        return packet.flip();
    }

    private long client(long millis) {
        return startNanos + AHEAD + millis * MILLI;
    }

    private void arrive(long nowMillis, long sentMillis, long first, long... stampMillis) {
        clock.advance(startNanos + nowMillis * MILLI - clock.nanoTime());
        assertThat(client.takeInputs(packet(sentMillis, first, stampMillis), ring, clock.nanoTime()))
                .isTrue();
    }

    private List<String> taken() {
        InputFrame frame = sampler.sample(startNanos, clock.nanoTime());
        List<String> taken = new ArrayList<>();
        for (int i = 0; i < frame.size(); i++) {
            taken.add(frame.event(i).code() + " at " + (frame.event(i).timeNanos() - startNanos) / MILLI);
        }
        return taken;
    }
}
