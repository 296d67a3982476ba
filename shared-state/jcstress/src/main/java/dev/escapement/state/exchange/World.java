package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;

/**
 * An exchange of windows of two ticks, and what the actors do with it. Every value that is written into a tick is the tick's number, so
 * that a reader can detect a mixture.
 */
final class World {

    static final TickRate RATE = TickRate.hertz(100_000);

    /** What {@link #newest} returns where no window is held. */
    static final int NONE = 0;

    /** What {@link #newest} returns for a window that holds a value of another tick. Too large to be hidden by a sum. */
    static final int TORN = -1000;

    private static final int WINDOW_SIZE = 2;

    /** Never started and never changed, so that it may be shared, and copying it is one comparison. */
    private static final Timeline NOT_STARTED = new Timeline(RATE);

    final SnapshotExchange exchange;
    private final int bodies;

    /** With no bodies a world is a hundred times cheaper to make, and tick and times of a snapshot are still compared. */
    World(int readers, int bodies) {
        exchange = new SnapshotExchange(WINDOW_SIZE, readers, bodies, RATE, PoseLayout.PLAIN, null);
        this.bodies = bodies;
    }

    /** The writer publishes these ticks, one after the other. */
    void publish(int first, int last) {
        for (int tick = first; tick <= last; tick++) {
            write(exchange.writer().nextSnapshot(), tick);
            exchange.writer().publish(NOT_STARTED, tick);
        }
    }

    /** Like {@link #publish}, by the thread that makes a state: afterwards the actor may become the writer. */
    void prepare(int first, int last) {
        publish(first, last);
        exchange.writer().handOver();
    }

    /** The newest tick of the window that a reader holds, if all of the window is what was published as that. */
    int newest(SnapshotReader reader) {
        if (!reader.hasWindow()) {
            return NONE;
        }
        Window window = reader.window();
        long newest = window.newestTick();
        boolean whole = window.publishedNanos() == newest;
        for (int i = 0; i < WINDOW_SIZE; i++) {
            whole &= isWhole(window.snapshot(i), newest - WINDOW_SIZE + 1 + i);
        }
        return whole ? (int) newest : TORN;
    }

    private void write(WritableSnapshot snapshot, int tick) {
        snapshot.startTick(tick, tick);
        snapshot.resize(bodies);
        for (int body = 0; body < bodies; body++) {
            snapshot.poses().blockOf(body).set(body, tick, tick, tick, tick, tick, tick, tick);
        }
    }

    private boolean isWhole(Snapshot snapshot, long tick) {
        boolean whole = snapshot.tick() == tick && snapshot.dueNanos() == tick && snapshot.publishedNanos() == tick;
        whole &= snapshot.poses().slotCount() == bodies;
        for (int body = 0; body < bodies; body++) {
            PoseBlock block = snapshot.poses().blockOf(body);
            whole &= block.px[body] == tick && block.py[body] == tick && block.pz[body] == tick;
            whole &= block.qx[body] == tick && block.qy[body] == tick && block.qz[body] == tick;
            whole &= block.qw[body] == tick;
        }
        return whole;
    }
}
