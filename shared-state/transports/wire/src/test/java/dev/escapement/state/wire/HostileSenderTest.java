package dev.escapement.state.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests a sender of valid packets with a nonsensical world: any bits as poses, ids, origins and times. The receiver must decode exactly
 * what was sent, or nothing.
 */
class HostileSenderTest {

    private static final int SLOTS = 100;
    private static final int MANY = 100_000;
    private static final int STREAM = CodecLink.STREAM;
    private static final long PERIOD = 10_000_000;
    private static final WireFormat FORMAT = new WireFormat(0.001f, 0.003f);
    private static final long[] EXTREMES = {
        0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE / 2, 4_000_000_000_000_000_000L
    };

    private final Timeline timeline = new Timeline(TickRate.hertz(100));
    private final ByteBuffer packet = ByteBuffer.allocate(2048);

    HostileSenderTest() {
        timeline.start(0);
    }

    private SnapshotReceiver receiver(ReceiverSettings settings, long newestTick, int ticksPerSend) {
        SnapshotReceiver receiver = new SnapshotReceiver(settings, () -> 0);
        new StreamInfo(STREAM, newestTick, false, false, timeline.rate(), FORMAT, ticksPerSend, PoseLayout.PLAIN)
                .write(packet);
        receiver.packet(packet.flip(), 0);
        return receiver;
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "2, 1", "5, 0", "7, 1"})
    void shouldDecodeWhatWasSentOrNothing(int seed, int ticksPerSend) {
        SplittableRandom seeded = new SplittableRandom(seed);
        CodecLink link = new CodecLink(FORMAT, PoseLayout.PLAIN, 2 * SLOTS, 0, ticksPerSend);
        WritableSnapshot snapshot = new WritableSnapshot(SLOTS, PoseLayout.PLAIN);
        IntConsumer readPacket = number -> {
            link.acknowledge(number);
            WireTick sent = link.encoder.tick(link.decoder.packetTick());
            WireTick got = Objects.requireNonNull(link.decoder.kept(link.decoder.packetTick()));
            if (sent == null) {
                return; // the encoder no longer keeps the tick
            }
            assertThat(got.slots).isEqualTo(sent.slots);
            assertThat(new long[] {got.dueNanos, got.inputsTaken, Double.doubleToRawLongBits(got.originX)})
                    .containsExactly(sent.dueNanos, sent.inputsTaken, Double.doubleToRawLongBits(sent.originX));
            for (int slot = 0; slot < got.slots; slot++) {
                if (got.knows(slot >> WireTick.CHUNK_SHIFT)) {
                    assertThat(got.generation[slot]).isEqualTo(sent.generation[slot]);
                    assertThat(got.userData(slot)).isEqualTo(sent.userData(slot));
                    assertThat(got.teleports(slot)).isEqualTo(sent.teleports(slot));
                    assertThat(got.hasSameBody(sent, slot)).isTrue();
                    assertThat(got.poseDiffers(slot, sent, slot)).isZero();
                }
            }
        };
        for (int step = 1; step < 2000; step++) {
            takeNonsense(link, snapshot, seeded);
            while (link.write(packet.clear())) {
                if (seeded.nextInt(4) > 0) {
                    link.receive(packet.flip(), readPacket);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "2, 1", "5, 0", "7, 1"})
    void shouldShowSomethingOfAnything(int seed, int ticksPerSend) {
        SplittableRandom seeded = new SplittableRandom(seed);
        CodecLink link = new CodecLink(FORMAT, PoseLayout.PLAIN, 2 * SLOTS, 0, ticksPerSend);
        SnapshotReceiver receiver = receiver(new ReceiverSettings(1, 2 * SLOTS, 0.99), 1, ticksPerSend);
        SnapshotReader reader = receiver.newReader();
        WritableSnapshot snapshot = new WritableSnapshot(SLOTS, PoseLayout.PLAIN);
        long shown = 0;
        for (int step = 1; step < 2000; step++) {
            takeNonsense(link, snapshot, seeded);
            long now = step * PERIOD;
            while (link.write(packet.clear())) {
                if (seeded.nextInt(4) > 0) {
                    receiver.packet(packet.flip(), now);
                    receiver.writeFeedback(packet.clear());
                    ArrivedPackets.read(packet.flip(), STREAM, link::acknowledge);
                }
            }
            assertThat(receiver.run(now)).isBetween(now + 1, now + 1_100_000_000L);
            if (reader.acquire()) {
                shown++;
                Snapshot newest = reader.window().newest();
                assertThat(newest.bodies().count()).isLessThanOrEqualTo(2 * SLOTS);
                for (int slot = 0; slot < newest.poses().slotCount(); slot++) {
                    PoseBlock poses = newest.poses().blockOf(slot);
                    assertThat(poses.px[slot & PoseBlock.MASK]).isFinite();
                    assertThat(poses.qw[slot & PoseBlock.MASK]).isFinite();
                    float centre = newest.bodyBlock(0).centreOfMass(slot, seeded.nextInt(3));
                    assertThat(centre).isFinite();
                }
            }
        }
        assertThat(shown).isPositive();
        assertThat(receiver.metric(ReceiverMetric.TICKS)).isLessThan(2000L * 64);
    }

    /** Packets with extreme tick numbers, even beyond the permitted range, do not stop the receiver. */
    @ParameterizedTest
    @ValueSource(
            longs = {Long.MIN_VALUE, Long.MIN_VALUE + 5, Long.MAX_VALUE, Long.MAX_VALUE - 16, 1L << 60, -1, 1L << 59})
    void shouldNotBeStoppedByANumber(long tick) {
        SnapshotReceiver receiver = receiver(ReceiverSettings.DEFAULT, tick, 0);
        long now = 0;
        for (int contextsAge : new int[] {0, 5, 255}) {
            for (int endChunk : new int[] {-1, 0, 3}) {
                PacketHeader header = header(0, tick);
                header.contextsAge = contextsAge;
                header.endChunk = endChunk;
                header.write(packet.clear());
                packet.put(new byte[20]);
                now += PERIOD;
                receiver.packet(packet.flip(), now);
                assertThat(receiver.run(now)).isGreaterThan(now);
            }
        }
        assertThat(receiver.metric(ReceiverMetric.REFUSED_PACKETS)).isPositive();
    }

    /** Each packet announces 100,000 bodies in another tick, but contains only four. The receiver must not allocate for all of them. */
    @Test
    void shouldHoldWhatHasArrivedAndNotWhatIsAnnounced() {
        SnapshotReceiver receiver = receiver(ReceiverSettings.DEFAULT, 1, 0);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = 0;
        int bytes = 0;
        for (int i = 0; i < 100; i++) {
            PacketHeader header = header(i, i + 1L);
            header.firstChunk = 251 * i % 25_000;
            header.endChunk = header.firstChunk + 1;
            claim(header, MANY);
            bytes += packet.limit();
            long before = threads.getCurrentThreadAllocatedBytes();
            receiver.packet(packet, i);
            allocated += threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(bytes).isLessThan(5_000);
        assertThat(allocated).isLessThan(60_000_000);
        assertThat(receiver.metric(ReceiverMetric.REFUSED_PACKETS)).isPositive();
    }

    private static PacketHeader header(int number, long tick) {
        PacketHeader header = new PacketHeader();
        header.streamId = STREAM;
        header.number = number;
        header.tick = tick;
        header.endChunk = -1;
        return header;
    }

    /** Writes a packet with a valid beginning, the chunks that the header names, and then the bytes {@code behind}. */
    private void claim(PacketHeader header, int slots, byte... behind) {
        RangeEncoder range = new RangeEncoder(TickCoder.CONTEXTS, 2048);
        TickCoder coder = new TickCoder(new PoseCode(FORMAT), false, 0);
        WireTick tick = new WireTick(0);
        tick.begin(header.tick, slots);
        range.begin();
        coder.begin(header.tick, tick, new WireTick(0), new WireTick(0));
        coder.slots(range, slots);
        coder.header(range);
        for (int chunk = header.firstChunk; chunk < header.endChunk; chunk++) {
            coder.chunk(range, chunk);
        }
        header.write(packet.clear());
        packet.put(range.bytes(), 0, range.end()).put(behind).flip();
    }

    /**
     * Packets claim about the maximum number of bodies. The decoder stops after a number of changed chunks that the packet's bytes limit.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldEndWithThePacket(int seed) {
        SnapshotDecoder decoder = new CodecLink(FORMAT, PoseLayout.PLAIN, MANY).decoder;
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 400; i++) {
            byte[] behind = new byte[i % 60];
            random.nextBytes(behind);
            claim(header(0, 1 + i % 30), MANY - random.nextInt(8), behind);
            int bytes = packet.remaining();
            decoder.decode(packet);
            assertThat(decoder.changedChunks()).as("packet %d", i).isLessThanOrEqualTo(64 + 8 * bytes);
        }
        assertThat(decoder.refused()).isGreaterThan(350);
    }

    /** Unreadable packets wait for missing ones, but the receiver does not retry them with each later packet for ever. */
    @Test
    void shouldDropWhatCannotBeReadForLong() {
        PacketReader reader = new CodecLink(FORMAT, PoseLayout.PLAIN, MANY).reader;
        claim(header(0, 1), 0);
        reader.take(packet);
        assertThat(reader.next()).isTrue();
        for (int number = 2; number < 3000; number++) {
            PacketHeader header = header(number, 3);
            header.baseAge = 1; // the base is tick 2, of which nothing has arrived
            claim(header, 0);
            reader.take(packet);
            assertThat(reader.next()).isFalse();
        }
        claim(header(1, 2), 0);
        reader.take(packet);
        int read = 0;
        while (reader.next()) {
            read++;
        }
        assertThat(read).isBetween(1, 40);
    }

    /**
     * The world has more slots than a receiver accepts in advance. All bodies are alike and rest, and the first slots are empty, so that
     * packets are as short as possible. A broadcast begins a refresh with its first tick; a later receiver reads nothing before a refresh
     * is complete.
     */
    @ParameterizedTest
    @CsvSource({"20000, 20000, 0, 1, 64", "60000, 1000, 1000, 1, 10", "60000, 1000, 8, 2, 24"})
    void shouldReadAllOfALargeHonestWorld(int slots, int liveSlots, int refresh, int firstTick, int ticks) {
        CodecLink link = new CodecLink(FORMAT, PoseLayout.PLAIN, slots, refresh, 0);
        WritableSnapshot snapshot = new WritableSnapshot(slots, PoseLayout.PLAIN);
        snapshot.resize(slots);
        for (int slot = slots - liveSlots; slot < slots; slot++) {
            snapshot.bodyBlock(slot >> PoseBlock.SHIFT).spawn(slot & PoseBlock.MASK, 1, 1, 0);
            snapshot.poses().blockOf(slot).set(slot & PoseBlock.MASK, 0, 0, 0, 0, 0, 0, 1);
        }
        boolean hasAll = firstTick == 1;
        for (long tick = 1; tick <= ticks; tick++) {
            snapshot.startTick(tick, tick * PERIOD);
            link.take(snapshot, timeline);
            while (link.write(packet.clear())) {
                if (tick >= firstTick) {
                    link.receive(packet.flip(), link::acknowledge);
                }
            }
            hasAll |= link.decoder.isWhole(tick);
            assertThat(link.decoder.isWhole(tick)).as("tick %s", tick).isEqualTo(hasAll);
        }
        assertThat(hasAll).isTrue();
        assertThat(link.decoder.refused()).isZero();
    }

    /** The contexts (adaptive probabilities) expect a world at rest; then all values are random. Four bodies must still fit a packet. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldSendAnyFourBodiesInTheLeastRoom(int ticksPerSend) {
        SplittableRandom seeded = new SplittableRandom(1);
        PoseLayout layout = new PoseLayout(IntStream.range(0, PacketHeader.MAX_CHANNELS)
                .mapToObj(i -> new Channel("channel " + i, Channel.Blending.STEP))
                .toList());
        CodecLink link = new CodecLink(new WireFormat(1e-6f, 1e-4f), layout, SLOTS, 0, ticksPerSend);
        WritableSnapshot snapshot = new WritableSnapshot(SLOTS, layout);
        ByteBuffer room = ByteBuffer.allocate(SenderSession.MAX_PACKET_BYTES);
        for (long tick = 1; tick <= 400; tick++) {
            boolean isNoise = tick % 40 == 0;
            snapshot.startTick(tick, isNoise ? seeded.nextLong() >> 1 : tick * PERIOD);
            snapshot.inputsTaken(isNoise ? seeded.nextLong() : tick);
            snapshot.resize(SLOTS);
            for (int i = 0; i < SLOTS && isNoise; i++) {
                snapshot.bodyBlock(0).generation[i] = seeded.nextInt() | 1; // odd: the slot has a body
                snapshot.bodyBlock(0).userData[i] = seeded.nextLong();
                snapshot.bodyBlock(0).teleports[i] = seeded.nextInt();
                snapshot.bodyBlock(0).reshape(i, seeded.nextInt());
                float[] pose = new float[7]; // metres within the reach of the format, and a rotation of any length
                for (int k = 0; k < pose.length; k++) {
                    pose[k] = (k < 3 ? 1000 : 1) * (2 * seeded.nextFloat() - 1);
                }
                PoseBlock poses = snapshot.poses().block(0);
                poses.set(i, pose[0], pose[1], pose[2], pose[3], pose[4], pose[5], pose[6]);
                for (float[] channel : poses.channels) {
                    channel[i] = Float.intBitsToFloat(seeded.nextInt());
                }
            }
            take(link, snapshot, seeded);
            int packets = 0;
            while (link.write(room.clear())) {
                assertThat(++packets).isLessThanOrEqualTo(2 * SLOTS / WireTick.CHUNK);
                link.acknowledge(room.getShort(3) & 0xFFFF);
            }
            assertThat(packets).isGreaterThanOrEqualTo(1);
        }
    }

    /** Takes a tick. In an interest, bodies then share a slot of the world, or have a slot that the world cannot have. */
    private void take(CodecLink to, WritableSnapshot snapshot, SplittableRandom seeded) {
        to.take(snapshot, timeline);
        WireTick world = Objects.requireNonNull(to.world.tick(snapshot.tick()));
        if (to.encoder == to.world) {
            return;
        }
        WireTick next = to.encoder.take(world, world.slots);
        for (int slot = 0; slot < world.slots; slot++) {
            next.take(world, slot, slot);
            int any = seeded.nextInt(300) == 0 ? seeded.nextInt() : seeded.nextInt(2 * SLOTS);
            int worldSlot = seeded.nextInt(10) == 0 ? any : slot / 2;
            int parent = seeded.nextInt(20) == 0 ? seeded.nextInt() : seeded.nextInt(2 * SLOTS) - 1;
            next.setBody(slot, world.userData(slot), world.teleports(slot), worldSlot);
            next.setBlending(slot, seeded.nextInt(WireTick.BLENDING), parent);
        }
    }

    private void takeNonsense(CodecLink to, WritableSnapshot snapshot, SplittableRandom seeded) {
        long tick = Math.max(0, to.world.newestTick()) + (seeded.nextInt(10) == 0 ? seeded.nextInt(80) + 1 : 1);
        boolean wild = seeded.nextInt(20) == 0;
        snapshot.startTick(tick, wild ? EXTREMES[seeded.nextInt(EXTREMES.length)] : tick * PERIOD);
        snapshot.publishedAt(seeded.nextLong());
        snapshot.inputsTaken(seeded.nextLong());
        snapshot.resize(seeded.nextInt(SLOTS));
        if (wild) {
            double origin = Double.longBitsToDouble(seeded.nextLong());
            snapshot.origin(origin, -origin, 1);
        }
        PoseBlock poses = snapshot.poses().block(0);
        BodyBlock bodies = snapshot.bodyBlock(0);
        for (int i = 0; i < snapshot.poses().slotCount(); i++) {
            if (seeded.nextInt(8) == 0) {
                poses.set(i, any(seeded), any(seeded), any(seeded), any(seeded), any(seeded), any(seeded), any(seeded));
            }
            if (seeded.nextInt(30) == 0) {
                bodies.generation[i] = seeded.nextInt();
                bodies.userData[i] = seeded.nextLong();
                bodies.teleports[i] = seeded.nextInt(3);
                bodies.reshape(i, seeded.nextInt(3) * seeded.nextLong());
                bodies.centreOfMass(i, any(seeded), any(seeded), any(seeded));
            }
        }
        take(to, snapshot, seeded);
    }

    private float any(SplittableRandom seeded) {
        return seeded.nextBoolean() ? Float.intBitsToFloat(seeded.nextInt()) : (float) seeded.nextDouble(-1, 1);
    }
}
