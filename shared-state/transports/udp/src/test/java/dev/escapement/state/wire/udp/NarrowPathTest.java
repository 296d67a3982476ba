package dev.escapement.state.wire.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.Snapshot;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A path that passes only short packets. All bodies fly and turn, so that a tick is several full packets. */
class NarrowPathTest {

    private static final int BODIES = 300;

    /** With a seal; the least MTU of IPv6 passes 1,232. */
    private static final int MAX_BYTES = 1200;

    private static final long TICK_MILLIS = 10;

    /** A server, its world, and a client. */
    private static final class Rig extends EndpointFixture {

        private final SplittableRandom random = new SplittableRandom(1);
        private final long[] ids = new long[BODIES];
        private @Nullable SnapshotReader reader;
        private long shownTick;

        /** When the first whole picture was shown, and for how long no newer true one was. */
        private long firstMillis = -1;

        private long trueMillis;
        private long gapMillis;

        private Rig(Access access) {
            super(5);
            network.leastNanos = 20 * TestNetwork.MILLI;
            network.maxNanos = 20 * TestNetwork.MILLI;
            network.maxBytes = MAX_BYTES;
            serve(access);
            connect(1, access);
        }

        @Override
        void write(PoseWriter poses) {
            for (int i = 0; i < BODIES; i++) {
                if (tick == 1) {
                    ids[i] = poses.spawn(i);
                }
                float angle = 0.01f * tick * (1 + i % 7);
                poses.set(
                        poses.slotOf(ids[i]),
                        i + 0.03f * tick + 0.01f * random.nextFloat(),
                        (float) Math.sin(angle),
                        0.01f * random.nextFloat(),
                        0,
                        (float) Math.sin(angle),
                        0,
                        (float) Math.cos(angle));
            }
        }

        private void run(int ticks) throws Exception {
            for (int i = 0; i < ticks; i++) {
                publishTick();
                network.run(TICK_MILLIS);
                look();
            }
        }

        private void look() {
            long nowMillis = tick * TICK_MILLIS;
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
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldShowAWorldOverAnyPath(boolean sealed) throws Exception {
        Rig rig = new Rig(sealed ? EndpointFixture.KEY : EndpointFixture.PLAIN);
        rig.run(700);
        assertThat(rig.firstMillis).isBetween(0L, 500L);
        assertThat(rig.gapMillis).isLessThanOrEqualTo(500);
        assertThat(rig.network.sent)
                .filteredOn(packet -> packet.from().equals(EndpointFixture.SERVER))
                .extracting(packet -> packet.bytes().length)
                .allMatch(bytes -> bytes <= MAX_BYTES)
                .anyMatch(bytes -> bytes > 1100);
    }
}
