package dev.escapement.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.wire.ReceiverFigure;
import dev.escapement.state.wire.SnapshotReceiver;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is kept of a stream, and played later. */
class AeronRecordingTest extends AeronWorldFixture {

    @ParameterizedTest
    @CsvSource({"0, 1", "60, 0.5", "60, 4"})
    void shouldReplayWhatWasRecorded(long fromTick, double speed) {
        String channel = "aeron:ipc?stream-id=10";
        for (int part = 1; part <= 2; part++) {
            SnapshotReceiver live = newReceiver();
            record(channel, live);
            assertThatExceptionOfType(UncheckedIOException.class)
                    .isThrownBy(() -> AeronRecording.open(folder, AeronRecording.STEP_BYTES))
                    .withMessageContaining(folder + " cannot be used for recordings");
            send(channel, part);
            tickUntilShown(live, world.ticks() + 100);
            close();
        }
        long[] shown = {-1, -1};
        AeronReplay replay = AeronReplay.start(folder, fromTick, speed, receiver, clock);
        opened.push(replay);
        long recorded = world.ticks();
        tickUntil(receiver::isReady);
        try (SnapshotReader reader = receiver.newReader()) {
            tickUntil(() -> {
                long tick = trueTick(receiver, reader);
                shown[0] = shown[0] < 0 ? tick : shown[0];
                shown[1] = Math.max(shown[1], tick);
                return replay.isEnded() || replay.failure().isPresent();
            });
        }
        assertThat(replay.failure()).isEmpty();
        assertThat(shown[0]).as("first").isBetween(fromTick - 3, fromTick + 95);
        if (speed <= 1) { // faster, the second part is over before its world is whole
            assertThat(shown[1]).as("last").isBetween(recorded - 90, recorded);
        }
        assertThat(receiver.figure(ReceiverFigure.STREAMS)).isEqualTo(2);
    }

    @Test
    void shouldKeepNoMoreThanItsBound() {
        bodies = 10_000;
        String channel = "aeron:ipc?stream-id=11";
        record(channel, receiver);
        AeronSender sender = send(channel, 1);
        tickUntil(() -> sender.packets() * 1300 > 5L * AeronRecording.STEP_BYTES);
        close();
        try (AeronRecording recording = AeronRecording.open(folder, AeronRecording.STEP_BYTES)) {
            long kept = recording.parts().stream()
                    .mapToLong(AeronRecording.Part::bytes)
                    .sum();
            assertThat(kept).isBetween((long) AeronRecording.STEP_BYTES, 2L * AeronRecording.STEP_BYTES);
        }
    }

    @Test
    void shouldRefuseWhatCannotBeReplayed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AeronReplay.start(folder, 0, 1, receiver, clock))
                .withMessage("nothing was recorded in " + folder);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AeronReplay.start(folder, 0, 0, receiver, clock))
                .withMessageContaining("but not 0");
        record("aeron:ipc?stream-id=12", receiver);
        close();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AeronReplay.start(folder, 100_000, 1, newReceiver(), clock))
                .withMessage("the recording has no tick 100000 or later");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AeronRecording.open(folder, 1))
                .withMessageContaining("at least 4194304 bytes, but was told to keep 1");
    }
}
