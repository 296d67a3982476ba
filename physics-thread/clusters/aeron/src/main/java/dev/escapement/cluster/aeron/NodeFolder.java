package dev.escapement.cluster.aeron;

import dev.escapement.physics.usercode.FailureReport;
import io.aeron.Aeron;
import io.aeron.archive.CatalogView;
import io.aeron.archive.checksum.Checksum;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.NodeStateFile;
import io.aeron.cluster.RecordingLog;
import io.aeron.driver.Configuration;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.agrona.BitUtil;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Locks, checks and changes the folder of one node. The folder has the log, and in a file beside it the identity of the log's world.
 *
 * <p>The identity is random: each node proposes one, and the first committed proposal becomes the world's. Aeron's own lock is not used,
 * because it would refuse a node for 10 s after it was killed.
 *
 * <p>{@link #endOfLog} finds damage that Aeron would notice too late or never, because its archive compares checksums of the content of
 * frames only. Without the check:
 *
 * <ol>
 *   <li>Aeron skips a frame with a damaged header, and loses its inputs;</li>
 *   <li>a term number that is far too large fills the disk, because Aeron writes an entry for each term up to it;</li>
 *   <li>a node that has lost its index of recordings, Aeron's recording log, begins a new log.</li>
 * </ol>
 *
 * <p>Any thread may call the methods about the world, {@link #purgeOld} and {@link #recordedEnd}, even concurrently. One thread calls the
 * other methods.
 */
final class NodeFolder implements AutoCloseable {

    /**
     * The largest plausible increase of the term from one entry to the next. A larger one is damage, because a term lasts half a second or
     * more.
     */
    private static final long MAX_TERMS = 1 << 16;

    private static final int KEPT_STATES = 2;

    private final Path folder;
    private final FileChannel lock;
    private final UUID proposed = UUID.randomUUID();

    // Volatile: the thread that answers other nodes sees changes of the fields below soon; nothing else is ordered by
    // them.
    private volatile @Nullable UUID world;
    private volatile boolean hasLog;

    /**
     * Locks a folder, and creates it if it is missing.
     *
     * @throws IllegalStateException if another node uses it
     * @throws UncheckedIOException  if it cannot be written
     */
    NodeFolder(Path folder) {
        this.folder = folder;
        try {
            Files.createDirectories(folder);
            lock = FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!isLocked()) {
                lock.close();
                throw new IllegalStateException(
                        "another node keeps its log in " + folder + "; each node needs a folder of its own");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the log of a node cannot be kept in " + folder + ": " + FailureReport.why(e), e);
        }
    }

    private boolean isLocked() throws IOException {
        try {
            return lock.tryLock() != null;
        } catch (OverlappingFileLockException inThisProcess) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }

    /**
     * Reads and checks the folder. Call it before other methods.
     *
     * @throws IllegalArgumentException if it is damaged
     * @throws IOException              if it cannot be read
     */
    void read() throws IOException {
        hasLog = hasCopy() || endOfLog() >= 0;
        if (Files.exists(worldFile())) {
            world = UUID.fromString(Files.readString(worldFile(), StandardCharsets.ISO_8859_1));
        }
    }

    private Path worldFile() {
        return folder.resolve("world");
    }

    /** Returns the world of this folder; null if it has none so far. */
    @Nullable
    UUID world() {
        return world;
    }

    boolean hasLog() {
        return hasLog;
    }

    UUID worldOrProposal() {
        return Objects.requireNonNullElse(world, proposed);
    }

    /** Stores the world of the log or of a saved state, and notes that the folder has a log. Throws if the folder has another world. */
    void beginLog(UUID ofLog) {
        keep(ofLog);
        hasLog = true;
    }

    /** Stores the world. Throws if the folder has another one. A process that is killed leaves the whole file, or none. */
    synchronized void keep(UUID named) {
        UUID before = world;
        if (before != null) {
            if (!before.equals(named)) {
                throw new IllegalStateException(worldFile() + " names world " + before + ", but the log is of world "
                        + named + ": the folder is of another node, or damaged; start this node with its own folder,"
                        + " or an empty one");
            }
            return;
        }
        Path next = folder.resolve("world.next");
        try {
            Files.writeString(
                    next, "" + named, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.DSYNC);
            Files.move(next, worldFile(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the identity of the world cannot be kept in " + worldFile() + ": " + FailureReport.why(e), e);
        }
        world = named;
    }

    /** Returns the folder of the node's own state and log. */
    private Path own() {
        return folder.resolve("log");
    }

    /** Returns the folder of an incomplete copy from another node. */
    private Path fetched() {
        return folder.resolve("fetched");
    }

    /** Returns the folder of a complete copy, which replaces the node's own state and log. */
    private Path complete() {
        return folder.resolve("complete");
    }

    File archive() {
        return own().resolve("archive").toFile();
    }

    File cluster() {
        return own().resolve("cluster").toFile();
    }

    File fetchedArchive() {
        return fetched().resolve("archive").toFile();
    }

    File fetchedCluster() {
        return fetched().resolve("cluster").toFile();
    }

    /**
     * Marks the copy as complete, and calls {@link #replaceOwn}. The copy gets the node's own votes, so that it does not vote twice in a
     * term.
     */
    void keepFetched() throws IOException {
        Path votes = cluster().toPath().resolve(NodeStateFile.FILENAME);
        if (Files.exists(votes)) {
            Path copy = fetchedCluster().toPath().resolve(NodeStateFile.FILENAME);
            Files.copy(votes, copy, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.move(fetched(), complete(), StandardCopyOption.ATOMIC_MOVE);
        replaceOwn();
    }

    /** Whether a complete copy has yet to replace the node's own state and log. */
    boolean hasCopy() {
        return Files.exists(complete());
    }

    /**
     * Replaces the node's own state and log by a complete copy, if there is one. If the process ends meanwhile, a repeated call completes
     * that.
     */
    void replaceOwn() throws IOException {
        if (hasCopy()) {
            IoUtil.delete(own().toFile(), true);
            Files.move(complete(), own(), StandardCopyOption.ATOMIC_MOVE);
        }
        IoUtil.delete(fetched().toFile(), true);
    }

    private boolean hasNotes() {
        return new File(cluster(), RecordingLog.RECORDING_LOG_FILE_NAME).isFile();
    }

    private RecordingLog notes() {
        return new RecordingLog(cluster(), false);
    }

    /** Returns the names of the archive's segment files. A name has the number of the recording and the position of the first byte. */
    private Stream<String> segments() {
        String[] files = archive().list((archive, name) -> name.endsWith(".rec"));
        return files == null ? Stream.empty() : Stream.of(files);
    }

    private static long recording(String segment) {
        return Long.parseLong(segment.substring(0, segment.indexOf('-')));
    }

    /**
     * Deletes all states except the last two, and the log before them. Keeps the last {@code keptLogBytes} of the log, for nodes that were
     * down. Waits for the archive.
     */
    void purgeOld(AeronArchive archive, long keptLogBytes) {
        try (RecordingLog notes = notes()) {
            long log = notes.findLastTermRecordingId();
            long[] positions = states(notes)
                    .mapToLong(state -> state.logPosition)
                    .distinct()
                    .sorted()
                    .toArray();
            if (positions.length < KEPT_STATES || log == Aeron.NULL_VALUE) {
                return;
            }
            long needed = positions[positions.length - KEPT_STATES];
            long firstKept = states(notes)
                    .filter(state -> state.logPosition >= needed)
                    .mapToLong(state -> state.recordingId)
                    .min()
                    .orElseThrow();
            segments() // includes segments of a process that was killed while it saved a state
                    .map(NodeFolder::recording)
                    .distinct()
                    .filter(recording -> recording < firstKept && recording != log)
                    .forEach(archive::purgeRecording);
            long start = archive.getStartPosition(log);
            long purged = Math.min(needed, archive.getMaxRecordedPosition(log) - keptLogBytes);
            if (purged - start >= AeronNode.SEGMENT_BYTES) {
                archive.purgeSegments(
                        log,
                        AeronArchive.segmentFileBasePosition(
                                start, purged, AeronNode.TERM_BYTES, AeronNode.SEGMENT_BYTES));
            }
        }
    }

    /** Returns the exact end position of the log; -1 while it is recorded, or if there is none. */
    long recordedEnd() {
        long[] found = {Aeron.NULL_VALUE};
        if (hasNotes()) {
            try (RecordingLog notes = notes()) {
                CatalogView.listRecording(
                        archive(),
                        notes.findLastTermRecordingId(),
                        (control, correlation, id, from, to, start, stop, term, segment, terms, mtu, s, i, c, o, by) ->
                                found[0] = stop);
            }
        }
        return found[0];
    }

    private static Stream<RecordingLog.Entry> states(RecordingLog notes) {
        return notes.entries().stream()
                .filter(entry -> entry.isValid && entry.type == RecordingLog.ENTRY_TYPE_SNAPSHOT);
    }

    /**
     * Checks the files that a node reads when it starts. Call it before the start.
     *
     * @return the position at which the last file ends, at or after the end of the log. If the file of the last saved state is missing, the
     *     position where that file would begin. -1 if there is no log
     * @throws IllegalArgumentException if a file is damaged
     * @throws IOException              if a file cannot be read
     */
    long endOfLog() throws IOException {
        if (!hasNotes()) {
            requireNothingRecorded();
            return Aeron.NULL_VALUE;
        }
        long last = Aeron.NULL_VALUE;
        long fromPosition = 0;
        long recording;
        try (RecordingLog notes = notes()) {
            for (RecordingLog.Entry entry : notes.entries()) {
                requireTerm(entry.leadershipTermId, last);
                last = Math.max(last, entry.leadershipTermId);
            }
            RecordingLog.Entry state = notes.getLatestSnapshot(0);
            fromPosition = state == null ? 0 : state.logPosition;
            recording = notes.findLastTermRecordingId();
        }
        if (new File(cluster(), NodeStateFile.FILENAME).isFile()) {
            try (NodeStateFile votes = new NodeStateFile(cluster(), false, 0)) {
                requireTerm(votes.candidateTerm().candidateTermId(), last);
            }
        }
        if (recording == Aeron.NULL_VALUE) {
            requireNothingRecorded();
            return Aeron.NULL_VALUE;
        }
        return endOfFrames(recording, fromPosition);
    }

    /**
     * Throws if the archive has recordings that Aeron's recording log does not list, because the node would begin a new log beside an old
     * one.
     */
    private void requireNothingRecorded() throws IOException {
        for (String segment : segments().toList()) {
            Path file = archive().toPath().resolve(segment);
            try (InputStream bytes = Files.newInputStream(file)) {
                // A first frame of length 0 means that nothing was recorded.
                if (!Arrays.equals(bytes.readNBytes(Integer.BYTES), new byte[Integer.BYTES])) {
                    throw new IllegalArgumentException(
                            file + " has something, but " + cluster() + " does not note that anything was recorded");
                }
            }
        }
    }

    private void requireTerm(long term, long last) {
        if (term < Aeron.NULL_VALUE || term - last > MAX_TERMS) {
            throw new IllegalArgumentException("a leader of term " + term + " is noted in " + cluster()
                    + ", but the last one before was of term " + last);
        }
    }

    /**
     * Checks the frames of a recording, in files of equal size that are named by the position of their first byte. Returns the end of the
     * last file.
     */
    private long endOfFrames(long recording, long fromPosition) throws IOException {
        boolean isWithinMessage = false;
        long position = fromPosition - fromPosition % AeronNode.SEGMENT_BYTES;
        for (File file = segment(recording, position);
                file.isFile();
                position += AeronNode.SEGMENT_BYTES, file = segment(recording, position)) {
            byte[] stored = Arrays.copyOf(Files.readAllBytes(file.toPath()), AeronNode.SEGMENT_BYTES);
            UnsafeBuffer segment = new UnsafeBuffer(stored);
            int at = 0;
            while (at < AeronNode.SEGMENT_BYTES) {
                int bytes = segment.getInt(at);
                if (bytes <= 0) {
                    return position + AeronNode.SEGMENT_BYTES; // no frame was written here
                }
                int flags = FrameDescriptor.frameFlags(segment, at);
                boolean begins = (flags & FrameDescriptor.BEGIN_FRAG_FLAG) != 0;
                boolean isPadding = FrameDescriptor.isPaddingFrame(segment, at);
                if (!isFrame(segment, at, bytes, isPadding)
                        || (isPadding ? isWithinMessage : begins == isWithinMessage)) {
                    throw new IllegalArgumentException("the log is damaged: " + file + " has no frame at byte " + at
                            + " that Aeron can have written there, but one of " + bytes + " bytes with flags "
                            + Integer.toHexString(flags & 0xFF));
                }
                isWithinMessage = !isPadding && (flags & FrameDescriptor.END_FRAG_FLAG) == 0;
                at += BitUtil.align(bytes, FrameDescriptor.FRAME_ALIGNMENT);
            }
        }
        return position;
    }

    private File segment(long recording, long position) {
        return new File(archive(), recording + "-" + position + ".rec");
    }

    /** Whether a frame has a valid size at its place. Padding must end at the end of a term buffer, and no message may cross that end. */
    private static boolean isFrame(UnsafeBuffer segment, int at, int bytes, boolean isPadding) {
        int inTerm = at % AeronNode.TERM_BYTES;
        int leftInTerm = AeronNode.TERM_BYTES - inTerm;
        return bytes >= DataHeaderFlyweight.HEADER_LENGTH
                && bytes <= leftInTerm
                && segment.getInt(at + DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET) == inTerm
                && FrameDescriptor.frameVersion(segment, at) == HeaderFlyweight.CURRENT_VERSION
                && (isPadding
                        ? BitUtil.align(bytes, FrameDescriptor.FRAME_ALIGNMENT) == leftInTerm
                        : FrameDescriptor.frameType(segment, at) == HeaderFlyweight.HDR_TYPE_DATA);
    }

    /**
     * Returns the checksum that the archive stores with each frame. It replaces Aeron's own checksums, which need access to one more
     * package of the JDK. Only one thread may use it.
     */
    static Checksum checksum() {
        UnsafeBuffer frame = new UnsafeBuffer(0, 0);
        byte[] bytes = new byte[Configuration.MAX_UDP_PAYLOAD_LENGTH];
        CRC32C sum = new CRC32C();
        return (address, offset, length) -> {
            frame.wrap(address + offset, length);
            frame.getBytes(0, bytes, 0, length);
            sum.reset();
            sum.update(bytes, 0, length);
            return (int) sum.getValue();
        };
    }
}
