package dev.escapement.transport.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.ReservedValueSupplier;
import io.aeron.archive.client.AeronArchive;
import io.aeron.exceptions.AeronException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A folder in which Aeron's archive keeps what receivers got. Each time that it is opened, what follows is kept beside what is there.
 *
 * <pre>{@code
 * try (AeronRecording recording = AeronRecording.open(Path.of("evening"), 1_000_000_000);
 *         AeronReceiver stream = AeronReceiver.start(driver, channel, receiver, NanoClock.system(), recording)) {
 *     ...
 * }
 * }</pre>
 *
 * <p>The oldest parts are deleted in steps of {@value #STEP_BYTES} bytes, so that no more than the bound is kept, and two such steps.
 *
 * <p>One receiver; any thread may close it after that.
 *
 * @see AeronReplay
 */
public final class AeronRecording implements AutoCloseable {

    /** The size of the files. */
    static final int STEP_BYTES = AeronDriver.SEGMENT_BYTES;

    private static final System.Logger LOG = System.getLogger("dev.escapement.state");
    private static final String CHANNEL = "aeron:ipc";
    private static final int STREAM_ID = 1;
    private static final String LOCK = "escapement.lock";

    final AeronDriver driver;
    private final FileChannel lock;
    private final Path folder;
    private final long mostBytes;
    private @Nullable ExclusivePublication recorded;
    private long keptSentNanos;
    private final ReservedValueSupplier sent = (buffer, offset, length) -> keptSentNanos;
    private long checkedPosition;
    private long droppedPackets;

    private AeronRecording(Path folder, FileChannel lock, AeronDriver driver, long mostBytes) {
        this.folder = folder;
        this.lock = lock;
        this.driver = driver;
        this.mostBytes = mostBytes;
    }

    /**
     * Opens a folder to record in.
     *
     * @param folder    is created if missing
     * @param mostBytes how much is kept, at least {@value #STEP_BYTES}
     * @return a recording that has begun
     * @throws IllegalArgumentException if the bound is too low
     * @throws UncheckedIOException     if the folder cannot be written, or another process has it open
     * @throws IllegalStateException    if the archive cannot start, or the JVM was started without {@value AeronDriver#ADD_OPENS}
     */
    public static AeronRecording open(Path folder, long mostBytes) {
        if (mostBytes < STEP_BYTES) {
            throw new IllegalArgumentException(
                    "a recording keeps at least " + STEP_BYTES + " bytes, but was told to keep " + mostBytes);
        }
        AeronRecording opened = openFolder(folder, mostBytes);
        try {
            AeronArchive archive = opened.driver.archive();
            opened.recorded = archive.addRecordedExclusivePublication(
                    CHANNEL + "?term-length=" + StreamChannel.TERM_BYTES, STREAM_ID);
            opened.purge();
        } catch (AeronException e) {
            opened.close();
            throw new IllegalStateException(
                    "nothing can be recorded in " + folder + ": " + AeronDriver.firstLine(e), e);
        } catch (Throwable e) { // Agrona throws checked ones, too
            opened.close();
            throw e;
        }
        return opened;
    }

    /** Opens a folder, which no other process may have open. */
    static AeronRecording openFolder(Path folder, long mostBytes) {
        FileChannel lock = null;
        try {
            Files.createDirectories(folder);
            lock = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (lock.tryLock() == null) {
                throw new IOException("another process records or replays there");
            }
            return new AeronRecording(folder, lock, AeronDriver.archiving(folder), mostBytes);
        } catch (IOException | OverlappingFileLockException e) {
            CloseHelper.quietClose(lock);
            throw new UncheckedIOException(
                    "the folder " + folder + " cannot be used for recordings: " + e.getMessage(),
                    e instanceof IOException io ? io : new IOException(e));
        } catch (Throwable e) { // Agrona throws checked ones, too
            CloseHelper.quietClose(lock);
            throw e;
        }
    }

    /** The thread that uses it, several times a second: an archive that hears nothing ends the session. */
    void poll() {
        String error = driver.archive().pollForErrorResponse();
        if (error != null) {
            throw new IllegalStateException("the archive of " + folder + " has an error: " + error);
        }
    }

    /** Keeps a message. The thread of the receiver. It waits for the archive only to delete what is beyond the bound. */
    void take(DirectBuffer from, int offset, int length, long sentNanos) {
        ExclusivePublication to = recorded;
        if (to == null) {
            return;
        }
        keptSentNanos = sentNanos;
        long position = AeronStream.offer(to, from, offset, length, sent);
        if (position < 0) {
            if (droppedPackets++ == 0) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "a recording lacks packets, because its disk is too slow: " + folder);
            }
        } else if (position - checkedPosition >= STEP_BYTES) {
            checkedPosition = position;
            purge();
        }
    }

    /** Deletes the oldest files beyond the bound. Each time begins at position 0, with a file. */
    private void purge() {
        List<Part> parts = parts();
        long tooMany = parts.stream().mapToLong(Part::bytes).sum() - mostBytes;
        for (Part part : parts) {
            if (tooMany > 0 && part.bytes() <= tooMany) { // not the last one: it alone is within the bound, or cut
                driver.archive().purgeRecording(part.id);
            } else if (tooMany > 0) {
                long start = part.start + tooMany - (part.start + tooMany) % STEP_BYTES;
                if (start > part.start) {
                    driver.archive().purgeSegments(part.id, start);
                }
            }
            tooMany -= part.bytes();
        }
    }

    /** One time that the folder was open. */
    record Part(long id, long start, long end) {

        long bytes() {
            return end - start;
        }
    }

    /** What is there, the oldest first. */
    List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        AeronArchive archive = driver.archive();
        archive.listRecordingsForUri(
                0,
                Integer.MAX_VALUE,
                CHANNEL,
                STREAM_ID,
                (session,
                        correlation,
                        id,
                        began,
                        ended,
                        start,
                        stop,
                        term,
                        segment,
                        termLength,
                        mtu,
                        own,
                        stream,
                        channel,
                        full,
                        source) -> parts.add(new Part(id, start, stop)));
        parts.replaceAll(part -> part.end == AeronArchive.NULL_POSITION
                ? new Part(part.id, part.start, archive.getMaxRecordedPosition(part.id))
                : part);
        return parts;
    }

    /** Ends it. Idempotent. */
    @Override
    public void close() {
        CloseHelper.quietCloseAll(recorded, driver, lock);
    }
}
