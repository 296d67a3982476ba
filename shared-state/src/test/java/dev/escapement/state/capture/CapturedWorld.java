package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import java.util.Objects;

/** Captures and publishes ticks that a test writes. There is no simulation; all other classes are those of production. */
public final class CapturedWorld {

    public static final TickRate RATE = TickRate.hertz(100);

    private final Timeline timeline = new Timeline(RATE);
    private final SnapshotExchange exchange;
    private final SnapshotWriter writer;
    private final Capture capture;
    private Capture.Source source = poses -> {};
    private long tick;

    public CapturedWorld(int readers, int preallocatedBodies, PoseLayout layout) {
        this(3, readers, preallocatedBodies, layout);
    }

    public CapturedWorld(int windowSize, int readers, int preallocatedBodies, PoseLayout layout) {
        this(windowSize, readers, preallocatedBodies, layout, 0);
    }

    public CapturedWorld(int windowSize, int readers, int preallocatedBodies, PoseLayout layout, int firstGeneration) {
        timeline.start(0);
        exchange = new SnapshotExchange(windowSize, readers, preallocatedBodies, RATE, layout, null);
        writer = exchange.writer();
        capture = new Capture(poses -> source.capture(poses), layout, RATE, preallocatedBodies, firstGeneration);
    }

    /** Captures and publishes the next tick, half a tick after its due time. */
    public Snapshot tick(Capture.Source poses) {
        source = poses;
        Snapshot latest = writer.latest();
        WritableSnapshot snapshot = writer.nextSnapshot();
        tick++;
        snapshot.startTick(tick, timeline.dueNanos(tick));
        try {
            capture.captureInto(snapshot, latest);
        } catch (RuntimeException refused) {
            throw refused;
        } catch (Exception impossible) {
            throw new AssertionError(impossible);
        }
        snapshot.seal();
        writer.publish(timeline, timeline.dueNanos(tick) + RATE.nanosAt(1) / 2);
        return snapshot;
    }

    /** Captures a re-simulated tick into the shadow snapshot, which is never published. */
    public void again(Capture.Source poses) throws Exception {
        source = poses;
        assertThat(capture.resimulation().capture(Objects.requireNonNull(writer.latest())))
                .isNotNull();
    }

    public Snapshot tick() {
        return tick(poses -> {});
    }

    /** Spawns a body at (1, 2, 3). Two more ticks follow, so that the next frame shows it. */
    public void spawnShown(long userData) {
        tick(poses -> poses.set(BodyId.slot(poses.spawn(userData)), 1, 2, 3, 0, 0, 0, 1));
        tick();
        tick();
    }

    /** Spawns a body at zero and returns its id. */
    public static long spawn(PoseWriter poses, long userData) {
        long id = poses.spawn(userData);
        poses.set(BodyId.slot(id), 0, 0, 0, 0, 0, 0, 1);
        return id;
    }

    /** Sets the poses of counted bodies, all at zero. */
    public static void setAll(PoseWriter poses, int bodies) {
        poses.bodyCount(bodies);
        for (int slot = 0; slot < bodies; slot++) {
            poses.set(slot, 0, 0, 0, 0, 0, 0, 1);
        }
    }

    public long ticks() {
        return tick;
    }

    public Timeline timeline() {
        return timeline;
    }

    public SnapshotReader newReader() {
        return exchange.attach();
    }

    public Capture capture() {
        return capture;
    }
}
