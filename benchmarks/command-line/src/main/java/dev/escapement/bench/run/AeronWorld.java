package dev.escapement.bench.run;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.transport.aeron.AeronDriver;
import dev.escapement.transport.aeron.AeronReceiver;
import dev.escapement.transport.aeron.AeronRecording;
import dev.escapement.transport.aeron.AeronReplay;
import dev.escapement.transport.aeron.AeronSender;
import dev.escapement.transport.aeron.AeronStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.jspecify.annotations.Nullable;

/** Worlds over Aeron, in any of its channels. None of the watchers can push. */
final class AeronWorld {

    static final String SCHEME = "aeron";

    /** How much of a recording is kept. */
    private static final long MOST_BYTES = 1_000_000_000;

    private AeronWorld() {}

    private static AeronDriver startDriver() {
        return refusingWhatIsBad(AeronDriver::embedded);
    }

    /** What cannot start is told in a line, as bad input is. */
    private static <T> T refusingWhatIsBad(Supplier<T> start) {
        try {
            return start.get();
        } catch (IllegalStateException | UncheckedIOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Serves in a channel, and tells where. */
    static Link serve(String channel, SnapshotSender sender, Consumer<String> say) {
        AeronDriver driver = null;
        AeronSender stream;
        try {
            driver = startDriver();
            stream = AeronSender.start(driver, channel, sender, NanoClock.system());
        } catch (Throwable e) { // Agrona throws checked ones, too
            CloseHelper.quietCloseAll(sender, driver);
            throw e;
        }
        say.accept("Served at " + channel + "; see it with: escapement watch '" + channel + "'");
        return new Stream(stream, driver, null);
    }

    /**
     * Receives the world that is served in a channel.
     *
     * @param folder where it is recorded, null if nowhere
     */
    static Link watch(String channel, @Nullable Path folder, SnapshotReceiver receiver) {
        AeronRecording recording =
                folder == null ? null : refusingWhatIsBad(() -> AeronRecording.open(folder, MOST_BYTES));
        AeronDriver driver = null;
        try {
            driver = channel.startsWith("aeron:ipc") ? null : startDriver();
            AeronReceiver stream = AeronReceiver.start(driver, channel, receiver, NanoClock.system(), recording);
            return new Stream(stream, driver, recording);
        } catch (Throwable e) { // Agrona throws checked ones, too
            CloseHelper.quietCloseAll(driver, recording);
            throw e;
        }
    }

    /** Plays a recording. */
    static Link replay(Path folder, long fromTick, double speed, SnapshotReceiver receiver) {
        return new Stream(
                refusingWhatIsBad(() -> AeronReplay.start(folder, fromTick, speed, receiver, NanoClock.system())),
                null,
                null);
    }

    /** Either side, and what it needs. */
    private record Stream(
            AeronStream stream,
            @Nullable AeronDriver driver,
            @Nullable AeronRecording recording) implements Link {

        @Override
        public Optional<Throwable> failure() {
            return stream.failure();
        }

        @Override
        public boolean isEnded() {
            return stream instanceof AeronReplay replay && replay.isEnded();
        }

        @Override
        public long bytes() {
            return stream.bytes();
        }

        @Override
        public long packets() {
            return stream.packets();
        }

        @Override
        public Map<String, Long> counts() {
            return stream.counts();
        }

        @Override
        public Distribution.@Nullable Summary latencyMicros() {
            return stream instanceof AeronReceiver receiver ? Distribution.Summary.of(receiver.latencyNanos()) : null;
        }

        @Override
        public void close() {
            CloseHelper.quietCloseAll(stream, driver, recording);
        }
    }
}
