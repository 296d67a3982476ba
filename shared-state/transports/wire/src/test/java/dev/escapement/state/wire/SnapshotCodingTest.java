package dev.escapement.state.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a receiver knows the world's true state, within the bounds, whatever a network does with packets. */
class SnapshotCodingTest {

    private static final PoseLayout LAYOUT = new PoseLayout(
            List.of(new Channel("wheel", Channel.Blending.LINEAR), new Channel("lamp", Channel.Blending.STEP)));
    private static final WireFormat ROUNDED = new WireFormat(0.001f, 0.005f);
    private static final int MAX_BODIES = 4096;

    private WireWorld world = new WireWorld(1, 300, 0.4, LAYOUT);
    private CodecLink link = new CodecLink(ROUNDED, LAYOUT, MAX_BODIES);
    private final PoseBlock decoded = new PoseBlock();
    private final ByteBuffer packet = ByteBuffer.allocate(SenderSession.MAX_PACKET_BYTES);
    private final IntConsumer acknowledge = this::acknowledge;
    private final CRC32 sum = new CRC32();
    private final List<ByteBuffer> underWay = new ArrayList<>();
    private final Deque<Integer> acknowledgements = new ArrayDeque<>();
    private int packets;
    private int riders;
    private int loaded;
    private int reshaped;

    /** The network loses, delays, repeats and reorders packets and acknowledgements. */
    @ParameterizedTest
    @CsvSource({
        "1, 300, 0.0, false",
        "2, 300, 0.05, false",
        "12, 300, 0.5, false",
        "4, 1200, 0.1, false",
        "5, 1, 0.1, false",
        "9, 300, 0.5, true"
    })
    void shouldKnowWhatTheWorldWas(int seed, int bodies, double loss, boolean isLoaded) {
        use(new WireWorld(seed, bodies, 0.4, LAYOUT));
        world.rides = true;
        world.isLoaded = isLoaded;
        SplittableRandom network = new SplittableRandom(seed);
        int whole = 0;
        for (int tick = 1; tick <= 400; tick++) {
            tick();
            exchange(network, loss);
            // By now all packets of the tick ten ticks ago have arrived, or are lost.
            if (link.decoder.isWhole(tick - 10)) {
                whole++;
            }
            requireTrue(tick - 10);
        }
        assertThat(link.decoder.refused()).isLessThan(packets / 10);
        assertThat(whole).as("whole ticks").isGreaterThanOrEqualTo(loss < 0.2 && bodies < 1000 ? 300 : 0);
        assertThat(riders).isGreaterThanOrEqualTo(bodies > 1 ? 1000 : 0);
        assertThat(loaded).isGreaterThanOrEqualTo(isLoaded ? 1000 : 0);
        assertThat(reshaped).isGreaterThanOrEqualTo(isLoaded ? 1000 : 0);
        assertThat(link.decoder.knowsAll(390))
                .as("all chunks, each not long ago")
                .isTrue();
    }

    /**
     * An acknowledgement comes 64 ticks late, when the newest tick reuses the acknowledged tick's bit. It must not acknowledge the newest
     * tick, which was lost.
     */
    @Test
    void shouldNotMistakeALateAcknowledgement() {
        use(new WireWorld(1, 8, 1, LAYOUT));
        List<Integer> late = new ArrayList<>();
        for (int tick = 1; tick <= 80; tick++) {
            tick();
            assertThat(link.write(packet.clear())).isTrue();
            List<Integer> read = new ArrayList<>();
            if (tick != 74) {
                link.receive(sent(), read::add);
                assertThat(read).as("tick " + tick).hasSize(1);
            }
            if (tick == 10) {
                late.addAll(read);
            } else {
                read.forEach(link::acknowledge);
            }
            if (tick == 74) {
                late.forEach(link::acknowledge);
            }
        }
    }

    private void requireTrue(long tick) {
        WireTick known = link.decoder.kept(tick);
        if (known == null) {
            return;
        }
        Snapshot local = Objects.requireNonNull(world.at(tick));
        assertThat(known.slots).isEqualTo(local.poses().slotCount());
        assertThat(known.dueNanos).isEqualTo(local.dueNanos());
        assertThat(known.inputsTaken).isEqualTo(local.inputsTaken());
        assertThat(known.originX).isEqualTo(local.originX());
        assertThat(known.originZ).isEqualTo(local.originZ());
        for (int slot = 0; slot < known.slots; slot++) {
            boolean isLive = local.bodies().exists(slot);
            if (known.knows(slot >> WireTick.CHUNK_SHIFT)) {
                assertThat(BodyId.isLive(known.generation[slot])).isEqualTo(isLive);
            }
            if (known.knows(slot >> WireTick.CHUNK_SHIFT) && isLive) {
                requireBody(known, slot, local.bodyBlock(slot >> PoseBlock.SHIFT), local);
                requirePose(known, slot, local.poses().blockOf(slot), slot & PoseBlock.MASK);
            }
        }
    }

    private void requireBody(WireTick known, int slot, BodyBlock was, Snapshot local) {
        int i = slot & PoseBlock.MASK;
        assertThat(known.generation[slot]).isEqualTo(was.generation[i]);
        assertThat(known.teleports(slot)).isEqualTo(was.teleports[i]);
        assertThat(known.userData(slot)).isEqualTo(was.userData[i]);
        boolean rides = local.bodies().exists(was.parent(i));
        assertThat(known.parent(slot)).isEqualTo(rides ? BodyId.slot(was.parent(i)) : WireTick.NO_PARENT);
        riders += rides ? 1 : 0;
        for (int axis = 0; axis < WireTick.CENTRE; axis++) {
            assertThat(Float.intBitsToFloat(known.centre(slot, axis))).isEqualTo(was.centreOfMass(i, axis));
        }
        loaded += known.isOffCentre(slot) ? 1 : 0;
        assertThat(known.reshapes[slot]).isEqualTo((int) was.reshapedTick(i));
        reshaped += known.reshapes[slot] == 0 ? 0 : 1;
    }

    private void requirePose(WireTick known, int slot, PoseBlock was, int i) {
        for (int channel = 0; channel < known.channelCount; channel++) {
            assertThat(Float.intBitsToFloat(known.channel(slot, channel))).isEqualTo(was.channels[channel][i]);
        }
        link.decoder.code().decode(known.poses, slot << WireTick.POSE_SHIFT, decoded, i);
        double metres = Math.max(
                Math.abs(decoded.px[i] - was.px[i]),
                Math.max(Math.abs(decoded.py[i] - was.py[i]), Math.abs(decoded.pz[i] - was.pz[i])));
        assertThat(metres).isLessThan(0.00101); // 1 mm, plus the rounding of a float 50 m from the origin
        double[] turn = new double[3];
        decoded.rotationSince(i, was, turn);
        assertThat(Math.hypot(turn[0], Math.hypot(turn[1], turn[2]))).isLessThan(0.005);
    }

    /** A connection that takes one packet a tick gets all bodies, one part after another. */
    @Test
    void shouldResumeWhereATickEnded() {
        use(new WireWorld(3, 1500, 1, LAYOUT));
        boolean[] known = new boolean[1500 / WireTick.CHUNK];
        for (int tick = 1; tick <= 120; tick++) {
            tick();
            assertThat(link.write(packet.clear())).isTrue();
            link.decoder.decode(packet.flip());
            WireTick last = link.decoder.kept(tick);
            for (int chunk = 0; last != null && chunk < known.length; chunk++) {
                known[chunk] |= last.knows(chunk);
            }
        }
        assertThat(known).doesNotContain(false);
    }

    /** Both sides predict with the same bits on every platform and version of Java, so a fixed world always makes the same packets. */
    @Test
    void shouldWriteTheSameBytesEverywhere() {
        for (int tick = 1; tick <= 800; tick++) {
            tick();
            sendAll();
        }
        assertThat(sum.getValue()).isEqualTo(527_481_118L);
    }

    @Test
    void shouldAllocateNothing() {
        use(new WireWorld(1, 1200, 0.8, LAYOUT));
        world.isLoaded = true;
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE; // in some rounds the JIT compiler or interpreted code allocates
        for (int round = 0; round < 40 && least > 0; round++) {
            long allocated = 0;
            for (int tick = 0; tick < 20; tick++) {
                world.tick();
                long before = threads.getCurrentThreadAllocatedBytes();
                link.take(world.now, world.timeline);
                sendAll();
                allocated += threads.getCurrentThreadAllocatedBytes() - before;
            }
            least = Math.min(least, allocated);
        }
        assertThat(link.decoder.isWhole(link.encoder.newestTick())).isTrue();
        assertThat(least).as("bytes in 20 ticks").isZero();
    }

    /** A position beyond the reach of the format is moved to its edge and marked, for any float; positions within are not. */
    @Test
    void shouldMarkWhatIsAtTheEdge() {
        float edge = 0.002f * (1 << 29);
        float[] places = {edge / 2, -edge / 2, 0, -0f, Float.MIN_VALUE, edge, -edge, edge * 2, -Float.MAX_VALUE};
        WritableSnapshot far = new WritableSnapshot(places.length, PoseLayout.PLAIN);
        far.startTick(1, 0);
        far.resize(places.length);
        for (int i = 0; i < places.length; i++) {
            far.bodyBlock(0).spawn(i, 1, 1, i);
            far.poses().block(0).set(i, 0, places[i], 0, 0, 0, 0, 1);
        }
        CodecLink ofFar = new CodecLink(ROUNDED, PoseLayout.PLAIN, places.length);
        ofFar.take(far, world.timeline);
        assertThat(ofFar.write(packet.clear())).isTrue();
        ofFar.receive(packet.flip(), number -> {});
        WireTick got = Objects.requireNonNull(ofFar.decoder.kept(1));
        for (int i = 0; i < places.length; i++) {
            float expected = Math.max(-edge, Math.min(edge, places[i]));
            ofFar.decoder.code().decode(got.poses, i << WireTick.POSE_SHIFT, decoded, 0);
            assertThat(decoded.py[0]).isCloseTo(expected, within(0.001f + Math.ulp(expected)));
            assertThat(ofFar.decoder.code().isClamped(got.poses, i << WireTick.POSE_SHIFT))
                    .isEqualTo(Math.abs(places[i]) >= edge);
        }
    }

    /**
     * A body loses a despawned parent even if the parent is in another block, and the sender reuses the memory of an old tick that contains
     * the parent.
     */
    @Test
    void shouldEndARideWithTheParent() {
        int rider = PoseBlock.CAPACITY + 7;
        CodecLink ofRider = new CodecLink(ROUNDED, PoseLayout.PLAIN, 2 * PoseBlock.CAPACITY);
        WritableSnapshot snapshot = new WritableSnapshot(rider + 1, PoseLayout.PLAIN);
        snapshot.resize(rider + 1);
        snapshot.bodyBlock(0).spawn(3, 1, 1, 0);
        snapshot.bodyBlock(1).spawn(7, 1, 1, 0);
        snapshot.bodyBlock(1).parent(7, BodyId.of(3, 1));
        snapshot.bodyBlock(0).changedAt(1);
        snapshot.bodyBlock(1).changedAt(1);
        long last = SnapshotEncoder.TICKS + 2;
        for (long tick = 1; tick <= last; tick++) {
            if (tick == last) {
                snapshot.bodyBlock(0).despawn(3, 2, tick);
                snapshot.bodyBlock(0).changedAt(tick);
            }
            snapshot.startTick(tick, tick);
            ofRider.take(snapshot, world.timeline);
            while (ofRider.write(packet.clear())) {
                ofRider.receive(packet.flip(), ofRider::acknowledge);
            }
            WireTick known = Objects.requireNonNull(ofRider.decoder.kept(tick));
            assertThat(known.parent(rider)).isEqualTo(tick == last ? WireTick.NO_PARENT : 3);
        }
    }

    /** One body rotates slowly, one by over 180 degrees in five ticks, and one jumps to another rotation. Only the second may spin. */
    @ParameterizedTest
    @CsvSource({"1, false", "4, true"})
    void shouldSendTheSpinOfWhatPosesDoNotTell(int longestGap, boolean sends) {
        WritableSnapshot before = turned(1, 0, 0, 0);
        WritableSnapshot now = turned(2, 0.09, 0.11, 0.11);
        now.motion(0).breaks().add(MotionBreaks.Kind.BROKEN, 2, 0, 0, 0);
        SnapshotEncoder encoder = new SnapshotEncoder(ROUNDED, PoseLayout.PLAIN, 1, longestGap);
        encoder.take(before, null, world.timeline);
        encoder.take(now, before, world.timeline);
        WireTick taken = Objects.requireNonNull(encoder.tick(2));
        assertThat(List.of(taken.spins(0), taken.spins(1), taken.spins(2))).containsExactly(false, sends, false);
        assertThat(taken.spin(1, 1)).isCloseTo(sends ? 0.22 * Math.PI : 0, within(1e-3));
    }

    private static WritableSnapshot turned(long tick, double... turns) {
        WritableSnapshot snapshot = new WritableSnapshot(turns.length, PoseLayout.PLAIN);
        snapshot.startTick(tick, tick);
        snapshot.resize(turns.length);
        snapshot.motion(0).resetMotion(tick, turns.length);
        for (int i = 0; i < turns.length; i++) {
            float sine = (float) Math.sin(Math.PI * turns[i]);
            float cosine = (float) Math.cos(Math.PI * turns[i]);
            snapshot.bodyBlock(0).spawn(i, 1, 1, i);
            snapshot.poses().block(0).set(i, 0, 0, 0, 0, sine, 0, cosine);
            snapshot.motion(0).turned(i, cosine - 1);
        }
        return snapshot;
    }

    @Test
    void shouldRefuseTooManyBodies() {
        link = new CodecLink(ROUNDED, LAYOUT, 299);
        tick();
        sendAll();
        assertThat(link.decoder.refused()).isEqualTo(packets);
        assertThat(link.decoder.newestTick()).isEqualTo(Snapshot.NEVER_WRITTEN);
    }

    @Test
    void shouldSayWhatCannotBeSent() {
        assertThatThrownBy(() -> new WireFormat(0.001f, 0)).hasMessageContaining("not to 0.001 m and 0.0 rad");
        assertThatThrownBy(() -> new WireFormat(Float.NaN, 0.01f))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not to NaN m");
    }

    private void use(WireWorld other) {
        world = other;
        link = new CodecLink(ROUNDED, other.now.layout(), MAX_BODIES);
    }

    private void tick() {
        world.tick();
        link.take(world.now, world.timeline);
    }

    private void acknowledge(int packetNumber) {
        link.acknowledge(packetNumber);
    }

    private void sendAll() {
        while (link.write(packet.clear())) {
            packets++;
            sum.update(packet.array(), 0, packet.position());
            link.receive(packet.flip(), acknowledge);
        }
        if (link.reader.isMissingMuch()) {
            link.writer.distrust();
        }
    }

    /** Loses, delays, repeats and reorders what both sides send. */
    private void exchange(SplittableRandom network, double loss) {
        while (link.write(packet.clear())) {
            ByteBuffer sent = sent();
            for (int copy = network.nextInt(20) == 0 ? 2 : 1; copy > 0; copy--) {
                underWay.add(network.nextInt(10) == 0 ? 0 : underWay.size(), sent.duplicate());
            }
        }
        while (underWay.size() > 8) {
            ByteBuffer arrived = underWay.remove(0);
            if (network.nextDouble() >= loss) {
                link.receive(arrived, acknowledgements::add);
            }
        }
        if (link.reader.isMissingMuch()) {
            link.writer.distrust();
        }
        while (acknowledgements.size() > 5) {
            int number = acknowledgements.remove();
            if (network.nextDouble() >= loss) {
                link.acknowledge(number);
            }
        }
    }

    private ByteBuffer sent() {
        packets++;
        return ByteBuffer.allocate(packet.position()).put(packet.flip()).flip();
    }
}
