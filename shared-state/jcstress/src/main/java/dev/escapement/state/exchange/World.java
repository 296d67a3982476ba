package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;

/**
 * An exchange with windows of two ticks, and the operations of the actors. Every value that is written into a tick is the tick's number, so
 * that a reader can detect a mixture.
 */
final class World {

    static final TickRate RATE = TickRate.hertz(100_000);

    /** The result of {@link #newest} if no window is held. */
    static final int NONE = 0;

    /** The result of {@link #newest} for a window with a value of another tick: so low that differences of results show it, too. */
    static final int TORN = -1000;

    private static final int WINDOW_SIZE = 2;

    /** The timeline of all worlds. It never starts or changes, so threads may share it, and the exchange copies it only once. */
    private static final Timeline NOT_STARTED = new Timeline(RATE);

    final SnapshotExchange exchange;
    private final int bodies;

    /** Creates a world. Without bodies it is a hundred times cheaper, and {@link #newest} still compares each snapshot's tick and times. */
    World(int readers, int bodies) {
        exchange = new SnapshotExchange(WINDOW_SIZE, readers, bodies, RATE, PoseLayout.PLAIN, null);
        this.bodies = bodies;
    }

    void publish(int first, int last) {
        for (int tick = first; tick <= last; tick++) {
            write(exchange.writer().nextSnapshot(), tick);
            exchange.writer().publish(NOT_STARTED, tick);
        }
    }

    /** Publishes ticks on the thread that creates a state, and hands the writer over, so that an actor can become the writer. */
    void prepare(int first, int last) {
        publish(first, last);
        exchange.writer().handOver();
    }

    /** Returns the newest tick of the window that a reader holds, if the whole window is as published. */
    int newest(SnapshotReader reader) {
        if (!reader.hasWindow()) {
            return NONE;
        }
        Window window = reader.window();
        long newest = window.newestTick();
        boolean whole = window.newest().publishedNanos() == newest;
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
