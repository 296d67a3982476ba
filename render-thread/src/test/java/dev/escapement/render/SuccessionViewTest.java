package dev.escapement.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.time.Timeline;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a renderer sees when one simulation takes the place of another. */
class SuccessionViewTest {

    private static final TickRate RATE = TickRate.hertz(100);

    /** Two worlds, each with an exchange and a capture of its own, as after a restart of the service. */
    @Test
    void shouldTellThatTheBodiesOfTheOldSimulationAreGone() throws Exception {
        SnapshotExchange old = new SnapshotExchange(2, 1, 8, RATE, PoseLayout.PLAIN, null);
        SnapshotExchange next = new SnapshotExchange(2, 1, 8, RATE, PoseLayout.PLAIN, null);
        SnapshotReader reader = old.attach();
        FrameView view = FrameView.of(reader);
        List<String> told = new ArrayList<>();
        BodyVisitor visitor = new BodyVisitor() {
            @Override
            public void appeared(long bodyId, long userData) {
                told.add("+" + userData);
            }

            @Override
            public void vanished(long bodyId, long userData) {
                told.add("-" + userData);
            }
        };
        Capture before = tick(old, 1, 4, 0, 111, 0);
        view.advance(60_000_000);
        view.changes(visitor);
        old.handOnTo(next);
        tick(next, 5, 9, 1_000_000_000, 222, before.highestGeneration() + 1);
        view.advance(1_060_000_000);
        view.changes(visitor);
        assertThat(view.window().newestTick()).isEqualTo(9);
        assertThat(told).containsExactly("+111", "-111", "+222");
    }

    /** The old service failed at tick 40; the new one goes on with tick 41, at some time. */
    @Test
    void shouldStandStillWhileThereIsNoServiceAndGoOnFromThere() throws Exception {
        SnapshotExchange old = new SnapshotExchange(3, 1, 8, RATE, PoseLayout.PLAIN, null);
        SnapshotExchange next = new SnapshotExchange(3, 1, 8, RATE, PoseLayout.PLAIN, null);
        FrameView view = FrameView.of(old.attach());
        Capture before = tick(old, 1, 40, 0, 111, 0);
        long shown = 0;
        for (long millis = 390; millis < 2000; millis += 7) {
            view.advance(millis * 1_000_000);
            assertThat(view.clock().shownSimNanos()).isBetween(shown, RATE.nanosAt(40));
            shown = view.clock().shownSimNanos();
        }
        assertThat(shown).isEqualTo(RATE.nanosAt(40));
        old.handOnTo(next);
        tick(next, 41, 43, 2_000_000_000, 222, before.highestGeneration() + 1);
        long holds = view.clock().holds();
        for (long millis = 2000; millis < 2040; millis += 7) {
            view.advance(millis * 1_000_000);
            assertThat(view.clock().shownSimNanos()).isBetween(shown, RATE.nanosAt(43));
            shown = view.clock().shownSimNanos();
        }
        assertThat(shown).isGreaterThan(RATE.nanosAt(41));
        assertThat(view.clock().holds() - holds).isLessThanOrEqualTo(1);
    }

    private static Capture tick(
            SnapshotExchange exchange, long from, long to, long startNanos, long entity, int firstGeneration)
            throws Exception {
        boolean[] spawned = {false};
        Capture capture = new Capture(
                poses -> {
                    if (!spawned[0]) {
                        spawned[0] = true;
                        poses.spawn(entity);
                    }
                    poses.set(0, 0, 0, 0, 0, 0, 0, 1);
                },
                PoseLayout.PLAIN,
                RATE,
                8,
                firstGeneration);
        Timeline timeline = new Timeline(RATE);
        timeline.startAt(from - 1, startNanos, TimeScale.ONE);
        SnapshotWriter writer = exchange.writer();
        for (long n = from; n <= to; n++) {
            Snapshot latest = writer.latest();
            Snapshot snapshot = writer.nextSnapshot();
            snapshot.startTick(n, timeline.dueNanos(n));
            capture.captureInto(snapshot, latest);
            writer.publish(timeline, timeline.dueNanos(n) + 1_000_000);
        }
        return capture;
    }
}
