package dev.escapement.state.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Worlds with any finite numbers, drawn from a seed: all can be sent, and what is sent is as it was, or at the edge and marked. */
class AnyWorldTest {

    private static final int SLOTS = 90;
    private static final int TICKS = 400;
    private static final float EDGE_UNITS = 1 << 29;
    private static final PoseLayout LAYOUT =
            new PoseLayout(PoseLayout.Tangents.NONE, List.of(new Channel("any", Channel.Blending.STEP)));
    private static final TickRate RATE = TickRate.hertz(100);
    private static final long PERIOD = 10_000_000;

    private final Timeline timeline = new Timeline(RATE);
    private final WritableSnapshot decoded = new WritableSnapshot(SLOTS, LAYOUT);
    private SplittableRandom random = new SplittableRandom(0);
    private int clamped;

    /** Each mode of each format; over a network that loses packets unless it is a broadcast. */
    @ParameterizedTest
    @CsvSource({
        "1, 0.001, 0.003, false",
        "2, 0.001, 0.003, true",
        "3, 1e-20, 0.0001, false",
        "4, 1e20, 0.1, true",
        "5, 0, 0, false",
        "6, 0, 0, true"
    })
    void shouldSendAnything(int seed, float metres, float radians, boolean isBroadcast) {
        random = new SplittableRandom(seed);
        WireFormat format = new WireFormat(metres, radians);
        SnapshotEncoder encoder = new SnapshotEncoder(format, LAYOUT, 7);
        AcknowledgedWriter writer = encoder.newReceiver();
        BroadcastWriter broadcast = encoder.newBroadcast(20);
        SnapshotDecoder decoder = new SnapshotDecoder(SLOTS);
        PacketReader reader = new PacketReader(decoder);
        ByteBuffer packet = ByteBuffer.allocate(PacketHeader.MOST_BYTES);
        Snapshot[] sent = new Snapshot[TICKS + 1];
        int[] clampedAt = new int[TICKS + 1];
        timeline.start(0);
        WritableSnapshot now = new WritableSnapshot(SLOTS, LAYOUT);
        int whole = 0;
        for (int tick = 1; tick <= TICKS; tick++) {
            now = next(now, tick);
            sent[tick] = now;
            encoder.take(now, timeline);
            clampedAt[tick] = encoder.clampedBodies();
            while (isBroadcast ? broadcast.write(packet.clear()) : writer.write(packet.clear())) {
                packet.flip();
                if (isBroadcast || random.nextInt(10) > 0) {
                    reader.take(packet);
                    while (reader.next()) {
                        writer.acknowledge(decoder.packetNumber());
                    }
                }
            }
            int then = tick - 20;
            if (then > 0 && decoder.isWhole(then)) {
                whole++;
                assertThat(decoder.read(then, decoded)).isTrue();
                clamped = 0;
                requireSame(sent[then], format);
                assertThat(clamped).isEqualTo(clampedAt[then]);
            }
        }
        assertThat(whole).isGreaterThan(TICKS / 4);
        assertThat(decoder.refused()).isZero();
        assertThat(Arrays.stream(clampedAt).sum() > 0).isEqualTo(!format.isExact());
    }

    private WritableSnapshot next(Snapshot before, long tick) {
        WritableSnapshot next = new WritableSnapshot(SLOTS, LAYOUT);
        next.startTick(tick, random.nextInt(50) == 0 ? random.nextLong() : tick * PERIOD);
        next.publishedAt(next.dueNanos());
        next.inputsTaken(random.nextLong());
        next.resize(SLOTS - random.nextInt(5));
        double origin = Double.longBitsToDouble(random.nextLong());
        next.origin(origin, -origin, Double.MAX_VALUE);
        PoseBlock poses = next.poses().block(0);
        BodyBlock bodies = next.bodyBlock(0);
        bodies.copyFrom(before.bodyBlock(0));
        poses.copyFrom(before.poses().block(0), 0, SLOTS);
        for (int i = 0; i < next.poses().slotCount(); i++) {
            if (random.nextInt(40) == 0 || tick == 1) {
                bodies.changedAt(tick);
                bodies.generation[i] = random.nextInt();
                bodies.sinceTick[i] = random.nextLong();
                bodies.userData[i] = random.nextLong();
                bodies.teleports[i] = random.nextInt();
            }
            if (random.nextInt(3) == 0 || tick == 1) {
                float[] turned = rotation();
                poses.set(i, place(), place(), place(), turned[0], turned[1], turned[2], turned[3]);
                poses.channels[0][i] = Float.intBitsToFloat(random.nextInt());
            }
        }
        return next;
    }

    /** Any finite number, one at an end of a range, or a usual one. */
    private float place() {
        float any = finite();
        float sign = random.nextBoolean() ? 1 : -1;
        return switch (random.nextInt(8)) {
            case 0 -> sign * Float.MAX_VALUE;
            case 1 -> sign * Float.MIN_VALUE;
            case 2 -> sign * 0f;
            case 3 -> sign * 0.002f * EDGE_UNITS * (float) (1 + random.nextDouble(-1e-6, 1e-6));
            case 4 -> any;
            default -> (float) random.nextDouble(-100, 100);
        };
    }

    private float finite() {
        float any = Float.intBitsToFloat(random.nextInt());
        return Float.isFinite(any) ? any : 1;
    }

    /** Mostly a rotation, sometimes any four numbers. */
    private float[] rotation() {
        float[] four = new float[4];
        boolean isAny = random.nextInt(10) == 0;
        double squared = 0;
        for (int k = 0; k < 4; k++) {
            four[k] = isAny ? finite() : (float) random.nextDouble(-1, 1);
            squared += (double) four[k] * four[k];
        }
        for (int k = 0; k < 4 && !isAny; k++) {
            four[k] /= (float) Math.sqrt(squared);
        }
        return four;
    }

    private void requireSame(Snapshot was, WireFormat format) {
        BodyBlock bodies = was.bodyBlock(0);
        PoseBlock is = decoded.poses().block(0);
        assertThat(decoded.poses().slotCount()).isEqualTo(was.poses().slotCount());
        assertThat(Double.doubleToRawLongBits(decoded.originX())).isEqualTo(Double.doubleToRawLongBits(was.originX()));
        assertThat(decoded.dueNanos()).isEqualTo(was.dueNanos());
        for (int i = 0; i < was.poses().slotCount(); i++) {
            assertThat(decoded.bodyBlock(0).generation[i]).isEqualTo(bodies.generation[i]);
            if ((bodies.generation[i] & 1) == 0) {
                continue;
            }
            PoseBlock then = was.poses().block(0);
            assertThat(decoded.bodyBlock(0).userData[i]).isEqualTo(bodies.userData[i]);
            assertThat(Float.floatToRawIntBits(is.channels[0][i]))
                    .isEqualTo(Float.floatToRawIntBits(then.channels[0][i]));
            boolean isMarked = decoded.bodyBlock(0).quarantined[i];
            clamped += isMarked ? 1 : 0;
            int atEdge = requirePlace(is.px[i], then.px[i], format)
                    + requirePlace(is.py[i], then.py[i], format)
                    + requirePlace(is.pz[i], then.pz[i], format);
            assertThat(isMarked).isEqualTo(atEdge > 0);
            requireTurned(is, then, i, format);
        }
    }

    /** Returns 1 if it is at the edge, else 0. */
    private static int requirePlace(float is, float was, WireFormat format) {
        if (format.isExact()) {
            assertThat(Float.floatToRawIntBits(is)).isEqualTo(Float.floatToRawIntBits(was));
            return 0;
        }
        float bound = format.maxPositionErrorMetres();
        float edge = 2 * bound * EDGE_UNITS;
        double expected = Math.max(-edge, Math.min(edge, was));
        assertThat(Math.abs(is - expected)).isLessThanOrEqualTo(bound * 1.001 + Math.ulp(was) + Math.ulp(is));
        // Floats near the edge are farther apart than units: the nearest one to a place within may be the edge itself.
        return Math.abs(was) >= edge - bound ? 1 : 0;
    }

    private static void requireTurned(PoseBlock is, PoseBlock was, int i, WireFormat format) {
        double squared = 0;
        double dot = 0;
        float[] a = {is.qx[i], is.qy[i], is.qz[i], is.qw[i]};
        float[] b = {was.qx[i], was.qy[i], was.qz[i], was.qw[i]};
        for (int k = 0; k < 4; k++) {
            squared += (double) b[k] * b[k];
            dot += (double) a[k] * b[k];
        }
        if (format.isExact()) {
            assertThat(a).containsExactly(b);
        } else if (Math.abs(squared - 1) < 1e-5) {
            double radians = 2 * Math.acos(Math.min(1, Math.abs(dot)));
            assertThat(radians).isLessThan(format.maxRotationErrorRadians() + 1e-3);
        }
    }

    /** What a capture takes: 1e18 m from an origin that may be as far. The receiver counts bodies at the edge, and shows all others. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldReceiveWhateverAWorldCanHold(int seed) throws Exception {
        random = new SplittableRandom(seed);
        int bodies = 20;
        SnapshotExchange exchange = new SnapshotExchange(3, 1, bodies, RATE, LAYOUT, null);
        SnapshotWriter writer = exchange.writer();
        double origin = seed == 1 ? 1e18 : -5e17;
        Capture capture = new Capture(
                poses -> {
                    poses.origin(origin, 0, 0);
                    poses.bodyCount(bodies);
                    for (int body = 0; body < bodies; body++) {
                        boolean isFar = body % 4 == 0;
                        float reach = isFar ? (random.nextBoolean() ? 0x1p59f : -0x1p59f) : random.nextInt(1000);
                        poses.set(body, reach, isFar ? -reach : body, 0, 0, 0, 0, 1);
                        poses.channel(body, 0, finite());
                    }
                },
                LAYOUT,
                RATE,
                bodies);
        SnapshotSender sender = new SnapshotSender(exchange.attach(), WireFormat.rounded(0.001f, 0.003f), 7);
        SnapshotSender.Receiver session = sender.newReceiver();
        SnapshotReceiver receiver = new SnapshotReceiver(ReceiverSettings.DEFAULT, () -> 0);
        ByteBuffer packet = ByteBuffer.allocate(PacketHeader.MOST_BYTES);
        timeline.start(0);
        SnapshotReader reader = null;
        for (long tick = 1; tick <= 100; tick++) {
            long now = tick * PERIOD;
            WritableSnapshot next = writer.nextSnapshot();
            next.startTick(tick, timeline.dueNanos(tick));
            capture.captureInto(next, writer.latest());
            writer.publish(timeline, now);
            sender.run(now);
            while (session.write(packet.clear(), now)) {
                receiver.packet(packet.flip(), now);
            }
            receiver.writeFeedback(packet.clear());
            session.feedback(packet.flip(), now);
            receiver.run(now);
            reader = reader == null && receiver.isReady() ? receiver.newReader() : reader;
        }
        assertThat(sender.clampedBodies()).isEqualTo(5);
        assertThat(receiver.figure(ReceiverFigure.CLAMPED_BODIES)).isEqualTo(5);
        SnapshotReader shows = Objects.requireNonNull(reader);
        assertThat(shows.acquire()).isTrue();
        Snapshot shown = shows.window().newest();
        assertThat(shown.originX()).isEqualTo(origin);
        for (int slot = 0; slot < bodies; slot++) {
            float y = shown.poses().block(0).py[slot];
            if (slot % 4 == 0) {
                assertThat(Math.abs(y)).isEqualTo(0.002f * EDGE_UNITS);
            } else {
                assertThat(Math.abs(y - slot)).isLessThan(0.0011f);
            }
        }
    }
}
