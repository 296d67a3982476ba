package dev.escapement.bench.golden;

import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.wire.ReceiverMetric;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SenderSession;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import dev.escapement.state.wire.WireWorld;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Streams a seeded world, and notes its packets. Its bodies spawn, despawn, teleport, sleep and get parents, and its time stands still
 * once. A seed loses a share of the packets, and a larger share of the acknowledgements.
 */
final class StreamLines {

    private static final long SEED = 3;
    private static final int STREAM = 0x1234;
    private static final int BODIES = 30;
    private static final double MOVING = 0.7;
    private static final WireFormat FORMAT = new WireFormat(0.001f, 0.005f);
    private static final PoseLayout LAYOUT = new PoseLayout(List.of(new Channel("mark", Channel.Blending.STEP)));

    private static final long STEP_NANOS = 500_000;
    private static final long PUBLISH_NANOS = 1_000_000;
    private static final int STEPS_PER_FEEDBACK = 20;

    /** The delay of packets and of feedback. */
    private static final int DELAY_STEPS = 40;

    private static final double LOST_PACKETS = 0.1;
    private static final double LOST_FEEDBACK = 0.4;

    /** The tick after which the world stands still. */
    private static final long PAUSE_TICK = 150;

    private static final int PAUSE_STEPS = 300;
    private static final int WHOLE_PACKETS = 2;

    private final List<String> lines = new ArrayList<>();
    private final Bits bits = new Bits();
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final WireWorld world = new WireWorld(SEED, BODIES, MOVING, LAYOUT);
    private final SnapshotExchange exchange = new SnapshotExchange(3, 1, BODIES, WireWorld.RATE, LAYOUT, null);
    private final SnapshotSender sender = new SnapshotSender(exchange.attach(), FORMAT, STREAM);
    private final ByteBuffer packet = ByteBuffer.allocate(SenderSession.MAX_PACKET_BYTES);
    private final long startNanos = world.timeline.dueNanos(0);
    private final SnapshotReceiver receiver = new SnapshotReceiver(ReceiverSettings.DEFAULT, this::nanos);
    private final List<Sent> underWay = new ArrayList<>();
    private long step;
    private long tick;
    private long resumeStep = Long.MAX_VALUE;
    private int packets;

    /** A packet on its way. */
    private record Sent(long arrives, boolean toReceiver, ByteBuffer bytes) {}

    private StreamLines() {
        world.rides = true;
    }

    static List<String> of() {
        return new StreamLines().run();
    }

    /** Streams to a receiver that acknowledges packets. Its counts show that packets were lost, and ticks predicted. */
    private List<String> run() {
        lines.add("# the tick, length and CRC32C of each packet; the first " + WHOLE_PACKETS + " in full");
        SenderSession session = sender.newReceiver(InetSocketAddress.createUnresolved("receiver", 1));
        while (tick < 300) {
            step();
            while (session.write(packet.clear(), nanos())) {
                note();
                send(true, LOST_PACKETS);
            }
            receiver.run(nanos());
            if (step % STEPS_PER_FEEDBACK == 0) {
                receiver.writeFeedback(packet.clear());
                packet.flip();
                send(false, LOST_FEEDBACK);
            }
            arrive(session);
        }
        for (ReceiverMetric metric : ReceiverMetric.values()) {
            lines.add(metric + " " + receiver.metric(metric));
        }
        sender.close();
        return lines;
    }

    private long nanos() {
        return startNanos + step * STEP_NANOS;
    }

    private void step() {
        step++;
        if (step == resumeStep) {
            world.timeline.resume(nanos(), TimeScale.ONE);
            exchange.writer().publishTimeline(world.timeline);
        }
        if (!world.timeline.isPaused() && nanos() >= world.timeline.dueNanos(tick + 1) + PUBLISH_NANOS) {
            tick++;
            world.tickInto(exchange.writer().nextSnapshot());
            if (tick == PAUSE_TICK) {
                world.timeline.pause(tick);
                resumeStep = step + PAUSE_STEPS;
            }
            exchange.writer().publish(world.timeline, nanos());
        }
        sender.run(nanos());
    }

    private void note() {
        packet.flip();
        lines.add(tick + " " + packet.remaining() + " " + bits.add(packet).take());
        if (packets++ < WHOLE_PACKETS) {
            lines.add("  " + HexFormat.of().formatHex(bytes()));
        }
    }

    private byte[] bytes() {
        byte[] bytes = new byte[packet.remaining()];
        packet.duplicate().get(bytes);
        return bytes;
    }

    private void send(boolean toReceiver, double lost) {
        if (random.nextDouble() >= lost) {
            underWay.add(new Sent(step + DELAY_STEPS, toReceiver, ByteBuffer.wrap(bytes())));
        }
    }

    private void arrive(SenderSession session) {
        while (!underWay.isEmpty() && underWay.get(0).arrives() <= step) {
            Sent arrived = underWay.remove(0);
            if (arrived.toReceiver()) {
                receiver.packet(arrived.bytes(), nanos());
            } else {
                session.feedback(arrived.bytes(), nanos());
            }
        }
    }
}
