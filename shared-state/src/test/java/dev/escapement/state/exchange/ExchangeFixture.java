package dev.escapement.state.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;

/** A production exchange, a writer that fills every float, and the checks that all exchange tests share. */
final class ExchangeFixture {

    static final int BODIES = 40;
    static final long TICK_NANOS = 10_000_000;

    final SnapshotExchange exchange;
    final Timeline timeline = new Timeline(TickRate.hertz(100));
    long published;

    ExchangeFixture(int windowSize, int maxReaders) {
        exchange = new SnapshotExchange(windowSize, maxReaders, BODIES, timeline.rate(), PoseLayout.PLAIN, null);
        timeline.start(0);
    }

    Snapshot write() {
        WritableSnapshot snapshot = exchange.writer().nextSnapshot();
        long tick = published + 1;
        snapshot.startTick(tick, tick * TICK_NANOS);
        snapshot.resize(BODIES);
        for (int body = 0; body < BODIES; body++) {
            float value = tick * 31 + body;
            snapshot.poses().blockOf(body).set(body & PoseBlock.MASK, value, value, value, value, value, value, value);
        }
        snapshot.seal();
        return snapshot;
    }

    void publish() {
        publish(1);
    }

    void publish(int ticks) {
        publish(ticks, 5);
    }

    void publish(int ticks, long delayNanos) {
        for (int i = 0; i < ticks; i++) {
            write();
            exchange.writer().publish(timeline, (published + 1) * TICK_NANOS + delayNanos);
            published++;
        }
    }

    /** Skips a tick of time, so that the next publish has a new timeline. */
    void changeTimeline() {
        timeline.skip(published, 1);
    }

    /** Asserts two guarantees of the exchange: the window has consecutive ticks (4), and every float is as written (5). */
    static void assertConsecutiveAndWhole(Window window) {
        for (int i = 0; i < window.size(); i++) {
            Snapshot snapshot = window.snapshot(i);
            assertThat(snapshot.computeChecksum()).as("torn %s", snapshot).isEqualTo(snapshot.checksum());
            assertThat(snapshot.tick()).isEqualTo(window.oldestTick() + i);
        }
    }
}
