package dev.escapement.bench.handoff;

import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;

/** The production exchange with windows of three. */
public final class EscapementHandoff implements Handoff {

    private static final int WINDOW_SIZE = 3;

    private final Timeline timeline = new Timeline(TickRate.hertz(100));
    private final SnapshotExchange exchange;
    private final SnapshotWriter writer;
    private final int bodies;
    private long tick;

    /** An exchange for so many bodies and readers. */
    public EscapementHandoff(int bodies, int readers) {
        this.bodies = bodies;
        timeline.start(0);
        exchange = new SnapshotExchange(WINDOW_SIZE, readers, bodies, timeline.rate());
        writer = exchange.writer();
    }

    @Override
    public PoseBlocks begin() {
        Snapshot snapshot = writer.begin();
        tick++;
        snapshot.begin(tick, tick);
        PoseBlocks poses = snapshot.poses();
        if (poses.slotCount() != bodies) {
            snapshot.resize(bodies);
        }
        return poses;
    }

    @Override
    public boolean publish() {
        writer.publish(timeline, tick);
        return true;
    }

    @Override
    public Reader newReader() {
        SnapshotReader reader = exchange.attach();
        return new Reader() {
            @Override
            public boolean acquire() {
                return reader.acquire();
            }

            @Override
            public PoseBlocks poses() {
                return reader.window().newest().poses();
            }
        };
    }
}
