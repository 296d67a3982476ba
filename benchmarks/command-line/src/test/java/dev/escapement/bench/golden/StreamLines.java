package dev.escapement.bench.golden;

import dev.escapement.render.FrameView;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseBlock;
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
import java.util.List;
import java.util.SplittableRandom;

/**
 * Streams a seeded world, shows it in three views, and records packets and poses as text lines. Bodies spawn, despawn, teleport, sleep and
 * get parents; time is paused once, and then runs at other speeds. A seed determines which packets are lost; acknowledgements are lost more
 * often. One view interpolates, one looks ahead, and one is the view of a loop that runs the ticks itself.
 */
final class StreamLines {

    private static final int BODIES = 30;
    private static final PoseLayout LAYOUT = new PoseLayout(List.of(new Channel("mark", Channel.Blending.STEP)));
    private static final long STEP_NANOS = 500_000;
    private static final int STEPS_PER_FRAME = 14;
    private static final int STEPS_PER_FEEDBACK = 20;

    private final List<String> lines = new ArrayList<>();
    private final Bits bits = new Bits();
    private final SplittableRandom random = new SplittableRandom(3);
    private final WireWorld world = new WireWorld(3, BODIES, 0.7, LAYOUT);
    private final SnapshotExchange exchange =
            new SnapshotExchange(Interpolation.MIN_SNAPSHOTS, 4, BODIES, WireWorld.RATE, LAYOUT, null);
    private final List<FrameView> views = List.of(
            FrameView.of(exchange.attach()),
            FrameView.of(exchange.attach(), Interpolation.DEFAULT.lookAhead(1)),
            FrameView.inline(exchange.attach()));
    private final SnapshotSender sender = new SnapshotSender(exchange.attach(), new WireFormat(0.001f, 0.005f), 0x1234);
    private final SenderSession session = sender.newReceiver(InetSocketAddress.createUnresolved("receiver", 1));
    private final SnapshotReceiver receiver = new SnapshotReceiver(ReceiverSettings.DEFAULT, this::nanos);
    private final ByteBuffer packet = ByteBuffer.allocate(SenderSession.MAX_PACKET_BYTES);
    private final long startNanos = world.timeline.dueNanos(0);
    private int step;
    private long tick;

    List<String> run() {
        lines.add("# the tick, length and CRC32C of each packet, and of the poses of the views");
        world.rides = true;
        while (tick < 300) {
            step();
            sender.run(nanos());
            while (session.write(packet.clear(), nanos())) {
                packet.flip();
                lines.add(
                        tick + " " + packet.remaining() + " " + bits.add(packet).take());
                if (random.nextInt(10) > 0) {
                    receiver.packet(packet, nanos());
                }
            }
            receiver.run(nanos());
            if (step % STEPS_PER_FEEDBACK == 0) {
                receiver.writeFeedback(packet.clear());
                if (random.nextInt(10) > 3) {
                    session.feedback(packet.flip(), nanos());
                }
            }
            if (step % STEPS_PER_FRAME == 0) {
                lines.add("view" + views.stream().map(this::shown).reduce("", String::concat));
            }
        }
        // These show that the run lost packets and predicted ticks.
        for (ReceiverMetric metric : ReceiverMetric.values()) {
            lines.add(metric + " " + receiver.metric(metric));
        }
        views.forEach(FrameView::close);
        sender.close();
        return lines;
    }

    private long nanos() {
        return startNanos + step * STEP_NANOS;
    }

    private void step() {
        switch (++step) {
            case 3_000 -> world.timeline.pause(tick);
            case 3_300 -> world.timeline.resume(nanos(), TimeScale.ONE);
            case 4_000 -> world.timeline.changeScale(tick, TimeScale.of(0.3));
            case 5_000 -> world.timeline.changeScale(tick, TimeScale.of(2.5));
            default -> {
                if (!world.timeline.isPaused() && nanos() >= world.timeline.dueNanos(tick + 1) + 2 * STEP_NANOS) {
                    tick++;
                    world.tickInto(exchange.writer().nextSnapshot());
                    exchange.writer().publish(world.timeline, nanos());
                }
                return;
            }
        }
        exchange.writer().publishTimeline(world.timeline);
    }

    private String shown(FrameView view) {
        if (!view.advance(nanos())) {
            return " -";
        }
        bits.add(view.clock().tick()).add(view.clock().alpha()).add(view.clock().displayNanos());
        for (int slot = 0; slot < view.poses().slotCount(); slot++) {
            PoseBlock block = view.poses().blockOf(slot);
            if (view.shown().bodies().exists(slot)) {
                bits.add(slot).add(block.px[slot], block.py[slot], block.pz[slot], block.channels[0][slot]);
                bits.add(block.qx[slot], block.qy[slot], block.qz[slot], block.qw[slot]);
            }
        }
        return " " + bits.take();
    }
}
