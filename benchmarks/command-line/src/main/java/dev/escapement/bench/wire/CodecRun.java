package dev.escapement.bench.wire;

import dev.escapement.bench.wire.WireReport.Row;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.wire.CodecLink;
import dev.escapement.state.wire.SenderSession;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import dev.escapement.state.wire.network.VirtualTime;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.agrona.CloseHelper;

/** The library's own codec over a connection that loses packets: from snapshots of a service to packets, and from packets to snapshots. */
final class CodecRun implements AutoCloseable {

    /** The largest error of a rotation of 9 bits: half a step of three components, and what follows for the fourth. */
    static final double MAX_ROTATION_ERROR = Math.sqrt(24) / 511;

    private static final WireFormat FORMAT = WireFormat.rounded(0.001f, (float) MAX_ROTATION_ERROR);

    static final int LOSS_PERCENT = 5;

    /** The first tick that counts: by then the whole world has been sent, and the coders' models have adapted. */
    static final int FIRST_TICK = 100;

    /** A packet and its acknowledgement take this long together. */
    static final int ROUND_TRIP_TICKS = 6;

    /** Processor time, because other programs use the machine, too. */
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** At least this share of the bodies has to arrive: otherwise few bodies would make small errors. */
    private static final double MIN_KNOWN = 0.8;

    private final JoltScene scene;
    private final int bodies;
    private final int lossPercent;
    private final SplittableRandom random;
    private final ManualClock clock = new ManualClock(0);
    private final InlineDriver driver;
    private final SnapshotReader reader;
    private final WritableSnapshot received;
    private final CodecLink link;
    private final boolean isBroadcast;
    private final List<ByteBuffer> packets = new ArrayList<>();

    /** In ticks: when acknowledgements arrive. */
    private final VirtualTime answers = new VirtualTime();

    // Of the ticks that count.
    private long bits;
    private long awake;
    private long known;
    private final Histogram encodeNanos = new Histogram(3);
    private final Histogram decodeNanos = new Histogram(3);
    private double positionError;
    private double rotationError;

    private CodecRun(JoltScene scene, boolean isBroadcast, int lossPercent) {
        this.scene = scene;
        this.isBroadcast = isBroadcast;
        this.lossPercent = lossPercent;
        bodies = scene.world.bodyCount();
        random = new SplittableRandom(lossPercent);
        List<Channel> marks = scene.marked ? List.of(new Channel("mark", Channel.Blending.STEP)) : List.of();
        PoseLayout layout = new PoseLayout(marks);
        driver = PhysicsService.builder(scene)
                .rate(scene.rate)
                .layout(layout)
                .preallocate(bodies)
                .inline(clock);
        reader = driver.newReader();
        received = new WritableSnapshot(bodies, layout);
        int refreshTicks = (int) (SnapshotSender.Broadcast.REFRESH_SECONDS * scene.rate.inHertz());
        link = new CodecLink(FORMAT, layout, bodies, isBroadcast ? refreshTicks : 0, 0);
    }

    private void answer(Runnable what) {
        if (!isBroadcast) {
            answers.after(ROUND_TRIP_TICKS, what);
        }
    }

    /** Sends {@code ticks} ticks of a scene, which this closes; {@code lossPercent} % of the packets are lost. */
    static Row send(JoltScene scene, int lastTick, String mode, int lossPercent) {
        try (CodecRun run = new CodecRun(scene, mode.equals(WireReport.BROADCAST), lossPercent)) {
            int ticks = lastTick - FIRST_TICK;
            for (int tick = 1; tick <= lastTick; tick++) {
                run.tick(tick);
            }
            double knownShare = (double) run.known / ticks / run.bodies;
            if (knownShare < MIN_KNOWN) {
                throw new IllegalStateException("only " + knownShare + " of the bodies of " + scene.name + " arrived, "
                        + mode + ", with " + lossPercent + " % of the packets lost");
            }
            return new Row(
                    scene.name,
                    mode,
                    run.bodies,
                    (int) scene.rate.inHertz(),
                    lossPercent,
                    (double) run.bits / ticks / run.bodies,
                    (double) run.bits / run.awake,
                    (double) run.encodeNanos.getValueAtPercentile(50) / run.bodies,
                    (double) run.decodeNanos.getValueAtPercentile(50) / run.bodies,
                    run.positionError,
                    run.rotationError);
        }
    }

    private void tick(int tick) {
        clock.advance(scene.rate.nanosAt(tick) + 700_000 + random.nextInt(300_000) - clock.nanoTime());
        driver.runDueTicks();
        answers.runUntil(tick);
        reader.acquire();
        if (reader.hasWindow()) {
            send(reader.window());
        }
    }

    private void send(Window window) {
        Snapshot sent = window.newest();
        long beganNanos = THREADS.getCurrentThreadCpuTime();
        link.take(sent, window.timeline());
        int count = 0;
        while (link.write(packet(count))) {
            packets.get(count++).flip();
        }
        long encodedNanos = THREADS.getCurrentThreadCpuTime();
        int bytes = 0;
        int came = 0;
        for (ByteBuffer packet : packets.subList(0, count)) {
            bytes += packet.remaining();
            if (random.nextInt(100) >= lossPercent) {
                came++;
                link.receive(packet, number -> answer(() -> link.acknowledge(number)));
            }
        }
        int losses = link.lossPercent();
        answer(() -> link.losses(losses));
        if (link.isMissingMuch()) {
            answer(link::distrust);
        }
        boolean isRead = link.read(sent.tick(), received);
        long decodedNanos = THREADS.getCurrentThreadCpuTime();
        if (sent.tick() > FIRST_TICK) {
            encodeNanos.recordValue(encodedNanos - beganNanos);
            decodeNanos.recordValue((decodedNanos - encodedNanos) * count / Math.max(1, came));
            bits += (long) bytes * Byte.SIZE;
            awake += scene.awake();
            if (isRead) {
                compare(sent);
            }
        }
    }

    /** Room for the n-th packet of a tick. */
    private ByteBuffer packet(int n) {
        if (n == packets.size()) {
            packets.add(ByteBuffer.allocate(SenderSession.MAX_PACKET_BYTES));
        }
        return packets.get(n).clear();
    }

    /** Compares the received bodies of the tick; those in lost packets are missing. */
    private void compare(Snapshot sent) {
        for (int body = 0; body < bodies; body++) {
            if (received.bodies().exists(body)) {
                known++;
                compare(received.poses().blockOf(body), sent.poses().blockOf(body), body & PoseBlock.MASK);
            }
        }
    }

    private void compare(PoseBlock got, PoseBlock truth, int i) {
        if (scene.marked && got.channels[0][i] != truth.channels[0][i]) {
            throw new IllegalStateException(
                    "a mark of tick " + received.tick() + " of " + scene.name + " arrived wrongly");
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

    @Override
    public void close() {
        CloseHelper.closeAll(reader, driver);
    }
}
