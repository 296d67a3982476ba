package dev.escapement.state.wire.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.Timeline;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A path that passes only short packets. All bodies fly and turn, so that a tick is several full packets. */
class NarrowPathTest {

    private static final int BODIES = 300;
    private static final long TICK_MILLIS = 10;

    /** The UDP payload of an MTU of 1,280. */
    private static final int IPV6 = 1232;

    /** A server, its world, and a client. */
    private static final class Rig extends EndpointFixture {

        private final Timeline timeline = new Timeline(RATE);
        private final Capture capture = new Capture(this::write, PoseLayout.PLAIN, RATE, BODIES);
        private final SplittableRandom random = new SplittableRandom(1);
        private final long[] ids = new long[BODIES];
        private @Nullable SnapshotReader reader;
        private final ServerEndpoint server;
        private long worldTick;
        private long shownTick;

        /** When the first whole picture was shown, and for how long no newer true one was. */
        private long firstMillis = -1;

        private long trueMillis;
        private long gapMillis;

        private Rig(int maxBytes, Access access) {
            super(5);
            network.leastNanos = 20 * TestNetwork.MILLI;
            network.maxNanos = 20 * TestNetwork.MILLI;
            network.maxBytes = maxBytes;
            server = serve(access);
            connect(1, access);
            timeline.start(network.clock.nanoTime());
        }

        private void write(PoseWriter poses) {
            for (int i = 0; i < BODIES; i++) {
                if (worldTick == 1) {
                    ids[i] = poses.spawn(i);
                }
                float angle = 0.01f * worldTick * (1 + i % 7);
                poses.set(
                        poses.slotOf(ids[i]),
                        i + 0.03f * worldTick + 0.01f * random.nextFloat(),
                        (float) Math.sin(angle),
                        0.01f * random.nextFloat(),
                        0,
                        (float) Math.sin(angle),
                        0,
                        (float) Math.cos(angle));
            }
        }

        private void run(int ticks) {
            for (int i = 0; i < ticks; i++) {
                worldTick++;
                WritableSnapshot snapshot = exchange.writer().nextSnapshot();
                snapshot.startTick(worldTick, timeline.dueNanos(worldTick));
                try {
                    capture.captureInto(snapshot, exchange.writer().latest());
                } catch (Exception impossible) {
                    throw new AssertionError(impossible);
                }
                exchange.writer().publish(timeline, network.clock.nanoTime());
                network.run(TICK_MILLIS);
                look();
            }
        }

        private void look() {
            long nowMillis = worldTick * TICK_MILLIS;
            reader = reader == null && receiver.isReady() ? receiver.newReader() : reader;
            Snapshot newest =
                    reader != null && reader.acquire() ? reader.window().newest() : null;
            if (newest != null
                    && !newest.isPredicted()
                    && newest.tick() > shownTick
                    && newest.bodies().count() == BODIES) {
                shownTick = newest.tick();
                firstMillis = firstMillis < 0 ? nowMillis : firstMillis;
                trueMillis = nowMillis;
            }
            gapMillis = Math.max(gapMillis, nowMillis - Math.max(0, trueMillis));
        }

        /** The most bytes of a packet of the server in some ticks. */
        private int largest(int ticks) {
            network.sent.clear();
            run(ticks);
            return network.sent.stream()
                    .filter(packet -> packet.from().equals(SERVER) && packet.bytes()[0] != Protocol.PROBE)
                    .mapToInt(packet -> packet.bytes().length)
                    .max()
                    .orElse(0);
        }
    }

    /** UDP payloads of an MTU of 1,280 over IPv6 and IPv4, of 1,400 over IPv6, and the least. */
    @ParameterizedTest
    @CsvSource({"1232, true", "1252, true", "1352, true", "1200, true", "1232, false", "1252, false"})
    void shouldShowAWorldAsSoonAndInAsFewBytes(int maxBytes, boolean sealed) {
        Access access = sealed ? EndpointFixture.KEY : EndpointFixture.PLAIN;
        Rig wide = new Rig(1472, access);
        Rig narrow = new Rig(maxBytes, access);
        wide.run(700);
        narrow.run(700);
        assertThat(wide.firstMillis).isBetween(0L, 500L);
        assertThat(narrow.firstMillis).isLessThanOrEqualTo(wide.firstMillis + 100);
        assertThat(narrow.gapMillis).isLessThanOrEqualTo(wide.gapMillis + 50);
        assertThat(narrow.server.count(Traffic.BYTES_OUT))
                .isLessThan((long) (1.03 * wide.server.count(Traffic.BYTES_OUT)));
        assertThat(narrow.largest(100)).isBetween(1176, Math.min(maxBytes, 1324));
    }

    @Test
    void shouldShowTheWorldAgainWhenThePathShrinks() {
        Rig rig = new Rig(1472, EndpointFixture.KEY);
        rig.run(300);
        assertThat(rig.largest(100)).isBetween(IPV6 + 1, 1324);
        rig.gapMillis = 0;
        rig.network.maxBytes = IPV6;
        rig.run(300);
        assertThat(rig.gapMillis).isLessThanOrEqualTo(600);
        assertThat(rig.largest(100)).isBetween(1200, IPV6);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.05, 0.2})
    void shouldKeepLargePacketsOnALossyPath(double lost) {
        Rig rig = new Rig(1472, EndpointFixture.KEY);
        rig.network.lost = lost;
        rig.run(1000);
        for (int second = 0; second < 10; second++) {
            assertThat(rig.largest(100)).isBetween(IPV6 + 1, 1324);
        }
    }
}
