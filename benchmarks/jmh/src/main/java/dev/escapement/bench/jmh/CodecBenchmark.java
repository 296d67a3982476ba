package dev.escapement.bench.jmh;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.wire.ReceiverMetric;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SenderSession;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Measures the time to encode a tick into packets, and the time to decode the packets and publish the tick at a receiver. Before measuring,
 * the benchmark sends a fixed part of the scene, and prints how many bits a body takes, with all data that was sent. Either receivers
 * acknowledge packets and 5 % of the packets are lost, or nobody acknowledges and no packet is lost.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CodecBenchmark {

    private static final WireFormat FORMAT =
            new WireFormat(0.001f, (float) (Math.sqrt(24) / 511)); // 9 bits per component of a quaternion

    /** The bits of the ticks up to this one do not count. By then the whole world has been sent, and the coders' models have adapted. */
    private static final int FIRST_TICK = 100;

    private static final int LOSS_PERCENT = 5;

    /** How many ticks after a packet the sender receives its acknowledgement. */
    private static final int ROUND_TRIP_TICKS = 6;

    private static final int FEEDBACK_BYTES = 64;

    /** The worlds that are sent. */
    public enum Scene {
        /** 901 cubes, few of which move, as in Glenn Fiedler's articles. */
        FIEDLER901,
        /** 1,000 boxes, nearly all of which move. */
        PILE;

        JoltScene create() {
            return this == PILE ? JoltScene.pile(1000) : new JoltScene.Fiedler901();
        }
    }

    /** A world, its sender and a receiver, in virtual time. */
    @State(Scope.Thread)
    public abstract static class Stream {

        @Param
        Scene scene = Scene.FIEDLER901;

        @Param({"false", "true"})
        boolean broadcast;

        private final ManualClock clock = new ManualClock(0);
        private final SplittableRandom random = new SplittableRandom(LOSS_PERCENT);
        private final SnapshotReceiver receiver = new SnapshotReceiver(ReceiverSettings.DEFAULT, clock);
        private final List<ByteBuffer> packets = new ArrayList<>();
        private final Queue<ByteBuffer> feedback = new ArrayDeque<>();
        private @Nullable JoltScene world;
        private @Nullable InlineDriver driver;
        private @Nullable SnapshotSender sender;
        private @Nullable SenderSession session;
        private Predicate<ByteBuffer> writer = packet -> false;
        private int count;
        private long tick;

        /** Sends the part of the scene whose bits are counted, and prints the result. */
        @Setup
        public void sendScene() {
            System.out.println(bits(open()));
        }

        int open() {
            JoltScene created = scene.create();
            world = created;
            List<Channel> marks = created.marked ? List.of(new Channel("mark", Channel.Blending.STEP)) : List.of();
            driver = PhysicsService.builder(created)
                    .rate(created.rate)
                    .layout(new PoseLayout(marks))
                    .inline(clock);
            SnapshotSender from = new SnapshotSender(driver.newReader(), FORMAT, 1);
            SenderSession to = from.newReceiver(InetSocketAddress.createUnresolved("receiver", 1));
            SnapshotSender.Broadcast all = from.newBroadcast();
            sender = from;
            session = to;
            writer = packet -> broadcast ? all.write(packet, clock.nanoTime()) : to.write(packet, clock.nanoTime());
            return created.lastTick;
        }

        /** Sends the ticks up to {@code lastTick}. Returns a text with the bits per body of the ticks after tick {@value #FIRST_TICK}. */
        String bits(int lastTick) {
            JoltScene sent = Objects.requireNonNull(world);
            long bits = 0;
            long awake = 0;
            while (tick < lastTick) {
                step();
                int bytes = encode();
                decode();
                answer();
                if (tick > FIRST_TICK) {
                    bits += 8L * bytes;
                    awake += sent.awake();
                }
            }
            long bodies = (lastTick - FIRST_TICK) * (long) sent.world.bodyCount();
            return String.format(
                    Locale.ROOT,
                    "%s, %s: %.2f bits a body, %.1f a moving body; %,d ticks received",
                    scene,
                    broadcast ? "broadcast" : "acknowledged",
                    (double) bits / bodies,
                    (double) bits / awake,
                    receiver.metric(ReceiverMetric.TICKS));
        }

        final void step() {
            tick++;
            long dueNanos = Objects.requireNonNull(world).rate.nanosAt(tick);
            clock.advance(dueNanos + 700_000 + random.nextInt(300_000) - clock.nanoTime());
            Objects.requireNonNull(driver).runDueTicks();
        }

        final int encode() {
            count = 0;
            Objects.requireNonNull(sender).run(clock.nanoTime());
            int bytes = 0;
            while (writer.test(packet(count))) {
                bytes += packets.get(count++).flip().remaining();
            }
            return bytes;
        }

        private ByteBuffer packet(int number) {
            if (number == packets.size()) {
                packets.add(ByteBuffer.allocate(SenderSession.MAX_PACKET_BYTES));
            }
            return packets.get(number).clear();
        }

        final long decode() {
            for (ByteBuffer packet : packets.subList(0, count)) {
                if (broadcast || random.nextInt(100) >= LOSS_PERCENT) {
                    receiver.packet(packet, clock.nanoTime());
                }
            }
            return receiver.run(clock.nanoTime());
        }

        /** Writes the receiver's acknowledgement, and delivers the one of {@code ROUND_TRIP_TICKS} ticks ago to the sender. */
        final void answer() {
            if (broadcast) {
                return;
            }
            ByteBuffer now = ByteBuffer.allocate(FEEDBACK_BYTES);
            receiver.writeFeedback(now);
            feedback.add(now.flip());
            if (feedback.size() > ROUND_TRIP_TICKS) {
                Objects.requireNonNull(session).feedback(feedback.remove(), clock.nanoTime());
            }
        }

        @TearDown
        public void close() {
            Objects.requireNonNull(sender).close();
            Objects.requireNonNull(driver).close();
        }
    }

    public static class Sending extends Stream {

        @Setup(Level.Invocation)
        public void before() {
            step();
        }

        @TearDown(Level.Invocation)
        public void after() {
            decode();
            answer();
        }
    }

    public static class Receiving extends Stream {

        @Setup(Level.Invocation)
        public void before() {
            step();
            encode();
        }

        @TearDown(Level.Invocation)
        public void after() {
            answer();
        }
    }

    @Benchmark
    public int encode(Sending stream) {
        return stream.encode();
    }

    @Benchmark
    public long decode(Receiving stream) {
        return stream.decode();
    }
}
