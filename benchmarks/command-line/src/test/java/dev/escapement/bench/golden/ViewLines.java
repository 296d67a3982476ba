package dev.escapement.bench.golden;

import dev.escapement.render.BodyVisitor;
import dev.escapement.render.FrameView;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.time.Timeline;
import dev.escapement.state.wire.WireWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Shows a seeded world in three views at 144 frames a second, and notes their poses. One view interpolates, one looks ahead, and one
 * belongs to a loop that runs the ticks itself. The world pauses and changes its speed. Ticks take 1 to 5 ms, and frames come up to half a
 * millisecond late.
 */
final class ViewLines implements BodyVisitor {

    private static final TickRate FRAMES = TickRate.hertz(144);
    private static final int COUNT = 400;
    private static final int FRAMES_PER_POSES = 20;
    private static final int BODIES = 12;
    private static final PoseLayout LAYOUT = new PoseLayout(List.of(new Channel("angle", Channel.Blending.ANGLE)));

    private final List<String> lines = new ArrayList<>();
    private final Bits bits = new Bits();
    private final SplittableRandom random = new SplittableRandom(5);
    private final WireWorld world = new WireWorld(6, BODIES, 0.9, LAYOUT);
    private final Timeline timeline = world.timeline;
    private final SnapshotExchange exchange =
            new SnapshotExchange(Interpolation.MIN_SNAPSHOTS, 3, BODIES, WireWorld.RATE, LAYOUT, null);
    private final long startNanos = timeline.dueNanos(0);
    private long tick;

    private ViewLines() {
        world.rides = true;
        world.isLoaded = true;
    }

    static List<String> of() {
        return new ViewLines().run();
    }

    private List<String> run() {
        lines.add(
                "# the frame, and a CRC32C of all poses in each of three views; some frames with the poses of three bodies");
        List<FrameView> views = List.of(
                FrameView.of(exchange.attach()),
                FrameView.of(exchange.attach(), Interpolation.DEFAULT.lookAhead(1)),
                FrameView.inline(exchange.attach()));
        for (int frame = 1; frame <= COUNT; frame++) {
            long nanos = startNanos + FRAMES.nanosAt(frame) + random.nextLong(500_000);
            control(frame, nanos);
            tickUntil(nanos);
            StringBuilder line = new StringBuilder().append(frame);
            for (FrameView view : views) {
                line.append(' ').append(view.advance(nanos) ? crc(view) : "-");
            }
            lines.add(line.toString());
            if (frame % FRAMES_PER_POSES == 0) {
                addPoses(views.get(0));
            }
        }
        views.forEach(FrameView::close);
        return lines;
    }

    private void control(int frame, long nanos) {
        switch (frame) {
            case 180, 250 -> timeline.pause(tick);
            case 200, 275 -> timeline.resume(nanos, TimeScale.ONE);
            case 210 -> timeline.scale(tick, TimeScale.of(0.3));
            case 240, 350 -> timeline.scale(tick, TimeScale.ONE);
            case 300 -> timeline.scale(tick, TimeScale.of(2.5));
            default -> {
                return;
            }
        }
        exchange.writer().publishTimeline(timeline);
    }

    private void tickUntil(long nanos) {
        while (!timeline.isPaused()) {
            long publishedNanos = timeline.dueNanos(tick + 1) + random.nextLong(1_000_000, 5_000_000);
            if (publishedNanos > nanos) {
                return;
            }
            tick++;
            world.tickInto(exchange.writer().nextSnapshot());
            exchange.writer().publish(timeline, publishedNanos);
        }
    }

    private String crc(FrameView view) {
        bits.add(view.clock().tick()).add(view.clock().alpha()).add(view.clock().displayNanos());
        for (int slot = 0; slot < view.poses().slotCount(); slot++) {
            PoseBlock block = view.poses().blockOf(slot);
            if (view.shown().bodies().exists(slot)) {
                bits.add(slot).add(block.px[slot]).add(block.py[slot]).add(block.pz[slot]);
                bits.add(block.qx[slot]).add(block.qy[slot]).add(block.qz[slot]).add(block.qw[slot]);
                bits.add(block.channels[0][slot]);
            }
        }
        view.changes(this);
        return bits.take();
    }

    @Override
    public void appeared(long bodyId, long userData) {
        bits.add("appeared").add(bodyId).add(userData);
    }

    @Override
    public void vanished(long bodyId, long userData) {
        bits.add("vanished").add(bodyId).add(userData);
    }

    private void addPoses(FrameView view) {
        for (int slot = 0; slot < 3; slot++) {
            PoseBlock block = view.poses().blockOf(slot);
            lines.add("  tick " + view.clock().tick() + " +"
                    + Bits.hex(view.clock().alpha()) + " slot " + slot + ": at"
                    + Bits.hex(block.px[slot], block.py[slot], block.pz[slot]) + " turned"
                    + Bits.hex(block.qx[slot], block.qy[slot], block.qz[slot], block.qw[slot]));
        }
    }
}
