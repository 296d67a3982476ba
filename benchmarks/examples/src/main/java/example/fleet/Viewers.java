package example.fleet;

import dev.escapement.render.FrameView;
import dev.escapement.render.tools.RemoteView;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.transport.aeron.AeronDriver;
import dev.escapement.transport.aeron.AeronReceiver;
import dev.escapement.transport.aeron.AeronSender;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.joml.Vector3f;
import org.jspecify.annotations.Nullable;

/** Viewers of worlds of another process. A relay is a viewer that forwards its worlds. One thread. */
final class Viewers implements AutoCloseable {

    private static final int DIGITS = 3;

    /** A picture of one world. */
    private static final class Viewer {
        private final @Nullable String to;
        private final RemoteView<SnapshotReceiver, AeronReceiver> remote;
        private @Nullable AeronSender relay;

        private Viewer(AeronDriver driver, String from, @Nullable String to) {
            this.to = to;
            NanoClock clock = NanoClock.system();
            remote = RemoteView.open(
                    clock,
                    new SnapshotReceiver(ReceiverSettings.DEFAULT, clock),
                    receiver -> Streaming.receive(driver, from, receiver));
        }

        private boolean frame(AeronDriver driver) {
            FrameView frame = remote.frame();
            if (frame != null && to != null && relay == null) {
                relay = Streaming.send(driver, to, remote.receiver().newReader(), new SecureRandom().nextInt());
            }
            return frame != null && frame.shown().bodies().count() > 0;
        }

        private double ageMillis() {
            FrameView shown = Objects.requireNonNull(remote.view());
            Vector3f first = shown.position(shown.shown().bodies().id(0), new Vector3f());
            return Carousel.ageMillis(first.x, shown.clock().displayNanos());
        }

        private Optional<Throwable> failure() {
            return relay == null
                    ? remote.stream().failure()
                    : remote.stream().failure().or(relay::failure);
        }

        private void close() {
            if (relay != null) {
                relay.close();
            }
            remote.close();
        }
    }

    private final AeronDriver driver = AeronDriver.embedded();
    private final List<Viewer> viewers = new ArrayList<>();
    private final Histogram ageMicros = new Histogram(DIGITS);
    private int pictures;

    /** Views the worlds of a channel in turns. If there is another channel, each is forwarded to it. */
    Viewers(String from, int worlds, int count, @Nullable String to) {
        try {
            for (int i = 0; i < count; i++) {
                String further = to == null ? null : WorldServer.channelOf(to, i % worlds);
                viewers.add(new Viewer(driver, WorldServer.channelOf(from, i % worlds), further));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** A frame of each picture. */
    void frame() {
        pictures = 0;
        for (Viewer viewer : viewers) {
            if (viewer.frame(driver)) {
                pictures++;
                ageMicros.recordValue((long) Math.max(0, 1000 * viewer.ageMillis()));
            }
        }
    }

    /** Restarts the measurement. */
    void measure() {
        ageMicros.reset();
    }

    /** How many of them showed a world in the last frame. */
    int pictures() {
        return pictures;
    }

    /** The ages of pictures, including all delays between the simulation and the display. */
    String report() {
        return String.format(
                Locale.ROOT,
                "%d of %d pictures, %.1f ms old at p50, %.1f at p99",
                pictures,
                viewers.size(),
                ageMicros.getValueAtPercentile(50) / 1e3,
                ageMicros.getValueAtPercentile(99) / 1e3);
    }

    Optional<Throwable> failure() {
        return viewers.stream().flatMap(viewer -> viewer.failure().stream()).findFirst();
    }

    @Override
    public void close() {
        viewers.forEach(Viewer::close);
        driver.close();
    }
}
