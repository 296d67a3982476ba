package dev.escapement.transport.aeron;

import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.wire.SnapshotReceiver;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.codecs.SourceLocation;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a receiver reads a recording of Aeron Archive like the broadcast itself. */
class ArchiveTest extends AeronWorldFixture {

    private static final int TICKS = 120; // more ticks than a refresh of the world takes

    static Archive launch(AeronDriver driver, Path folder) {
        return Archive.launch(new Archive.Context()
                .aeronDirectoryName(driver.directory().toString())
                .archiveDir(folder.toFile())
                .threadingMode(ArchiveThreadingMode.SHARED)
                .controlChannel("aeron:udp?endpoint=localhost:0")
                .replicationChannel("aeron:udp?endpoint=localhost:0")
                .recordingEventsEnabled(false));
    }

    static AeronArchive connect(AeronDriver driver) {
        return AeronArchive.connect(new AeronArchive.Context()
                .aeronDirectoryName(driver.directory().toString())
                .controlRequestChannel("aeron:ipc")
                .controlRequestStreamId(AeronArchive.Configuration.localControlStreamId())
                .controlResponseChannel("aeron:ipc"));
    }

    /** Starts a recording of "aeron:udp?control=localhost:20121|stream-id=7". */
    static long record(AeronArchive archive, String control, int streamId) {
        String channel = "aeron:udp?control=" + control + "|control-mode=dynamic|endpoint=localhost:0";
        return archive.startRecording(channel, streamId, SourceLocation.REMOTE);
    }

    /** Replays all of a recording to "aeron:ipc?stream-id=8", as fast as it is read. */
    static long replay(AeronArchive archive, long recording, int streamId) {
        return archive.startReplay(
                recording, AeronArchive.NULL_POSITION, AeronArchive.NULL_LENGTH, "aeron:ipc", streamId);
    }

    @Test
    void shouldShowTheLastSnapshotOfARecording(@TempDir Path folder) throws IOException {
        String control = free("localhost:PORT");
        String channel = "aeron:udp?control=" + control + "|stream-id=7";
        SnapshotReceiver live = newReceiver();
        opened.push(launch(driver, folder));
        AeronArchive archive = connect(driver);
        opened.push(archive);
        record(archive, control, 7);
        receive(channel, live);
        AeronSender sender = send(channel, 1);
        tickUntil(() -> live.isReady() && world.ticks() >= TICKS);
        long last = world.ticks() + 1;
        world.timeline().pause(last);
        tick();
        awaitShown(live, last);
        sender.close();
        await(() -> archive.getStopPosition(0) != AeronArchive.NULL_POSITION);
        replay(archive, 0, 8);
        receive("aeron:ipc?stream-id=8", receiver);
        awaitShown(receiver, last);
    }

    private void awaitShown(SnapshotReceiver by, long tick) {
        await(by::isReady);
        try (SnapshotReader reader = by.newReader()) {
            await(() -> {
                clock.advance(1_000_000);
                return trueTick(by, reader) == tick;
            });
        }
    }
}
