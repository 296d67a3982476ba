package dev.escapement.bench.wire;

import dev.escapement.bench.measure.Median;
import dev.escapement.bench.wire.WireReport.Row;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import dev.escapement.state.wire.AcknowledgedWriter;
import dev.escapement.state.wire.PacketReader;
import dev.escapement.state.wire.SnapshotDecoder;
import dev.escapement.state.wire.SnapshotEncoder;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import dev.escapement.state.wire.network.VirtualTime;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The library's own codec over a connection that loses packets: from snapshots to packets, and from packets to snapshots. */
final class CodecRun {

    private static final WireFormat FORMAT = WireFormat.rounded(0.001f, (float) Trace.MAX_ROTATION_ERROR);

    static final int LOSS_PERCENT = 5;

    /** The first tick that counts: by then the whole world has been sent, and coders have learned. */
    static final int FIRST_TICK = 100;

    /** A packet and its acknowledgement are so long under way together. */
    static final int ROUND_TRIP_TICKS = 6;

    /** Processor time, because others use the machine too. */
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static final int MOST_PACKET_BYTES = 1300;

    /** A receiver that reads little would be exact without effort. */
    private static final double LEAST_KNOWN = 0.8;

    private final Trace trace;
    private final int lossPercent;
    private final SplittableRandom random;
    private final Timeline timeline;
    private final WritableSnapshot sent;
    private final WritableSnapshot received;
    private final SnapshotEncoder encoder;
    private final SnapshotDecoder decoder;
    private final PacketReader reader;
    private final Predicate<ByteBuffer> writer;

    /** Null where nothing is acknowledged. */
    private final @Nullable AcknowledgedWriter acknowledged;

    private final List<ByteBuffer> packets = new ArrayList<>();

    /** In ticks: when acknowledgements arrive. */
    private final VirtualTime answers = new VirtualTime();

    private long known;
    private double encodeNanos;
    private double decodeNanos;
    private double positionError;
    private double rotationError;

    private CodecRun(Trace trace, boolean isBroadcast, int lossPercent) {
        this.trace = trace;
        this.lossPercent = lossPercent;
        random = new SplittableRandom(lossPercent);
        List<Channel> marks = trace.marked ? List.of(new Channel("mark", Channel.Blending.STEP)) : List.of();
        PoseLayout layout = new PoseLayout(PoseLayout.Tangents.NONE, marks);
        timeline = new Timeline(TickRate.hertz(trace.hertz));
        timeline.start(0);
        sent = new WritableSnapshot(trace.bodies, layout);
        received = new WritableSnapshot(trace.bodies, layout);
        encoder = new SnapshotEncoder(FORMAT, layout, 1);
        decoder = new SnapshotDecoder(trace.bodies);
        reader = new PacketReader(decoder);
        acknowledged = isBroadcast ? null : encoder.newReceiver();
        writer = acknowledged != null
                ? acknowledged::write
                : encoder.newBroadcast((int) (SnapshotSender.Broadcast.REFRESH_SECONDS * trace.hertz))::write;
    }

    private void answer(Consumer<AcknowledgedWriter> what) {
        AcknowledgedWriter to = acknowledged;
        if (to != null) {
            answers.after(ROUND_TRIP_TICKS, () -> what.accept(to));
        }
    }

    /** Sends a scene; so many packets in a hundred are lost. */
    static Row send(Trace trace, String mode, int lossPercent) {
        CodecRun run = new CodecRun(trace, mode.equals(WireReport.BROADCAST), lossPercent);
        int ticks = trace.ticks.size() - FIRST_TICK;
        double[] encode = new double[ticks];
        double[] decode = new double[ticks];
        double bits = 0;
        int moved = 0;
        for (int tick = 0; tick < trace.ticks.size(); tick++) {
            int bitsOfTick = run.tick(tick);
            if (tick >= FIRST_TICK) {
                bits += bitsOfTick;
                moved += trace.moved(tick);
                encode[tick - FIRST_TICK] = run.encodeNanos / trace.bodies;
                decode[tick - FIRST_TICK] = run.decodeNanos / trace.bodies;
            }
        }
        double knownShare = (double) run.known / trace.ticks.size() / trace.bodies;
        if (knownShare < LEAST_KNOWN) {
            throw new IllegalStateException("only " + knownShare + " of the bodies of " + trace.name
                    + " arrived, " + mode + ", with "
                    + lossPercent + " % of the packets lost; the decoder refused " + run.decoder.refused());
        }
        return new Row(
                trace.name,
                mode,
                trace.bodies,
                trace.hertz,
                lossPercent,
                bits / ticks / trace.bodies,
                bits / moved,
                Median.of(encode),
                Median.of(decode),
                run.positionError,
                run.rotationError);
    }

    private int tick(int tick) {
        prepare(tick, trace.ticks.get(tick));
        answers.runUntil(tick);
        long beganNanos = THREADS.getCurrentThreadCpuTime();
        encoder.take(sent, timeline);
        int count = 0;
        while (writer.test(packet(count))) {
            packets.get(count++).flip();
        }
        long encodedNanos = THREADS.getCurrentThreadCpuTime();
        encodeNanos = encodedNanos - beganNanos;
        int bytes = 0;
        int arrived = 0;
        for (ByteBuffer packet : packets.subList(0, count)) {
            bytes += packet.remaining();
            if (random.nextInt(100) >= lossPercent) {
                arrived++;
                reader.take(packet);
                while (reader.next()) {
                    int number = decoder.packetNumber();
                    answer(to -> to.acknowledge(number));
                }
            }
        }
        if (reader.isMissingMuch()) {
            answer(AcknowledgedWriter::distrust);
        }
        if (decoder.read(sent.tick(), received)) {
            long decodedNanos = THREADS.getCurrentThreadCpuTime();
            decodeNanos = (double) (decodedNanos - encodedNanos) * count / arrived; // as if all had arrived
            compare();
        }
        return bytes * Byte.SIZE;
    }

    /** Room for the n-th packet of a tick. */
    private ByteBuffer packet(int n) {
        if (n == packets.size()) {
            packets.add(ByteBuffer.allocate(MOST_PACKET_BYTES));
        }
        return packets.get(n).clear();
    }

    private void prepare(int tick, float[] p) {
        long dueNanos = timeline.dueNanos(tick + 1);
        sent.startTick(tick + 1, dueNanos);
        sent.publishedAt(dueNanos + 700_000 + random.nextInt(300_000));
        sent.resize(trace.bodies);
        for (int body = 0; body < trace.bodies; body++) {
            int at = body * Trace.NUMBERS;
            int i = body & PoseBlock.MASK;
            PoseBlock to = sent.poses().blockOf(body);
            to.set(i, p[at], p[at + 1], p[at + 2], p[at + 3], p[at + 4], p[at + 5], p[at + 6]);
            if (trace.marked) {
                to.channels[0][i] = p[at + Trace.MARK];
            }
            if (tick == 0) {
                sent.bodyBlock(body >> PoseBlock.SHIFT).spawn(i, 1, 1, body);
            }
        }
    }

    /** Compares what is known of the tick: bodies in packets that were lost are not. */
    private void compare() {
        for (int body = 0; body < trace.bodies; body++) {
            if (received.bodies().exists(body)) {
                known++;
                compare(received.poses().blockOf(body), sent.poses().blockOf(body), body & PoseBlock.MASK);
            }
        }
    }

    private void compare(PoseBlock got, PoseBlock truth, int i) {
        if (trace.marked && got.channels[0][i] != truth.channels[0][i]) {
            throw new IllegalStateException(
                    "a mark of tick " + received.tick() + " of " + trace.name + " arrived wrongly");
        }
        double off = Math.max(Math.abs((double) got.px[i] - truth.px[i]), Math.abs((double) got.py[i] - truth.py[i]));
        positionError = Math.max(positionError, Math.max(off, Math.abs((double) got.pz[i] - truth.pz[i])));
        double cosine = Math.abs(product(got, truth, i)) / Math.sqrt(product(got, got, i) * product(truth, truth, i));
        rotationError = Math.max(rotationError, 2 * Math.acos(Math.min(1, cosine)));
    }

    /** Of the rotations. */
    private static double product(PoseBlock a, PoseBlock b, int i) {
        return (double) a.qx[i] * b.qx[i]
                + (double) a.qy[i] * b.qy[i]
                + (double) a.qz[i] * b.qz[i]
                + (double) a.qw[i] * b.qw[i];
    }
}
