package dev.escapement.cluster.aeron;

import io.aeron.Aeron;
import io.aeron.cluster.NodeStateFile;
import io.aeron.cluster.RecordingLog;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Looks for damage in the folder of a node that Aeron would not notice before it does harm. Its archive compares checksums of what frames
 * contain, and of nothing else.
 *
 * <ol>
 *   <li>A frame with a damaged header is skipped, and its inputs with it.</li>
 *   <li>For each leader's term up to the next one an entry is written: for a number that is far too large, until the disk is full.</li>
 *   <li>Without its notes about what it has recorded, a node begins anew.</li>
 * </ol>
 */
final class FolderCheck {

    /** Of leaders, one after the other. A term lasts for half a second at least. */
    private static final long MOST_TERMS = 1 << 16;

    private FolderCheck() {}

    /**
     * Reads what a node reads of its folder when it starts, before it does.
     *
     * @return whether it has a log
     * @throws IllegalArgumentException if it is damaged
     * @throws IOException              if it cannot be read
     */
    static boolean check(Path folder) throws IOException {
        File cluster = StateFetch.cluster(folder);
        if (!new File(cluster, RecordingLog.RECORDING_LOG_FILE_NAME).isFile()) {
            requireNothingRecorded(folder);
            return false;
        }
        long last = Aeron.NULL_VALUE;
        long fromPosition = 0;
        long recording;
        try (RecordingLog recordings = new RecordingLog(cluster, false)) {
            for (RecordingLog.Entry entry : recordings.entries()) {
                requireTerm(entry.leadershipTermId, last, folder);
                last = Math.max(last, entry.leadershipTermId);
            }
            RecordingLog.Entry state = recordings.getLatestSnapshot(0);
            fromPosition = state == null ? 0 : state.logPosition;
            recording = recordings.findLastTermRecordingId();
        }
        if (new File(cluster, NodeStateFile.FILENAME).isFile()) {
            try (NodeStateFile votes = new NodeStateFile(cluster, false, 0)) {
                requireTerm(votes.candidateTerm().candidateTermId(), last, folder);
            }
        }
        if (recording == Aeron.NULL_VALUE) {
            requireNothingRecorded(folder);
        } else {
            requireFrames(StateFetch.archive(folder), recording, fromPosition);
        }
        return recording != Aeron.NULL_VALUE;
    }

    /**
     * Refuses to begin a new world.
     *
     * @throws IllegalArgumentException if there is no log, and no leader has answered from which it could come
     */
    static void requireWorld(boolean hasLog, boolean hasLeader, Path folder) {
        if (!hasLog && !hasLeader) {
            throw new IllegalArgumentException(
                    "there is no log in " + folder + ", and no other node leads a cluster that has"
                            + " one: without requiringWorld() it would begin a new world; is its disk there, and do the others run?");
        }
    }

    /** One after the other, in files of one size that are named for the position of their first byte. */
    private static void requireFrames(File archive, long recording, long fromPosition) throws IOException {
        boolean isWithinMessage = false;
        long position = fromPosition - fromPosition % AeronNode.SEGMENT_BYTES;
        for (File file = segment(archive, recording, position);
                file.isFile();
                file = segment(archive, recording, position)) {
            byte[] stored = Arrays.copyOf(Files.readAllBytes(file.toPath()), AeronNode.SEGMENT_BYTES);
            UnsafeBuffer segment = new UnsafeBuffer(stored);
            int at = 0;
            while (at < AeronNode.SEGMENT_BYTES) {
                int bytes = segment.getInt(at);
                if (bytes <= 0) {
                    return; // nothing was written here
                }
                int flags = FrameDescriptor.frameFlags(segment, at);
                boolean isData = FrameDescriptor.frameType(segment, at) == HeaderFlyweight.HDR_TYPE_DATA;
                boolean begins = (flags & FrameDescriptor.BEGIN_FRAG_FLAG) != 0;
                boolean isExpected = isData
                        ? begins != isWithinMessage
                        : FrameDescriptor.isPaddingFrame(segment, at) && !isWithinMessage;
                if (!isExpected || !isFrame(segment, at, bytes, isData)) {
                    throw new IllegalArgumentException("the log is damaged: " + file + " has no frame at byte " + at
                            + " that Aeron can have written there, but one of " + bytes + " bytes with flags "
                            + Integer.toHexString(flags & 0xFF));
                }
                isWithinMessage = isData && (flags & FrameDescriptor.END_FRAG_FLAG) == 0;
                at += BitUtil.align(bytes, FrameDescriptor.FRAME_ALIGNMENT);
            }
            position += AeronNode.SEGMENT_BYTES;
        }
    }

    private static File segment(File archive, long recording, long position) {
        return new File(archive, recording + "-" + position + ".rec");
    }

    /** Padding is at the end of terms, and no message goes beyond those. */
    private static boolean isFrame(UnsafeBuffer segment, int at, int bytes, boolean isData) {
        int inTerm = at % AeronNode.TERM_BYTES;
        int leftInTerm = AeronNode.TERM_BYTES - inTerm;
        return bytes >= DataHeaderFlyweight.HEADER_LENGTH
                && bytes <= leftInTerm
                && segment.getInt(at + DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET) == inTerm
                && FrameDescriptor.frameVersion(segment, at) == HeaderFlyweight.CURRENT_VERSION
                && (isData || BitUtil.align(bytes, FrameDescriptor.FRAME_ALIGNMENT) == leftInTerm);
    }

    /** Otherwise the node would begin anew, beside what it has. */
    private static void requireNothingRecorded(Path folder) throws IOException {
        File[] files = StateFetch.archive(folder).listFiles((archive, name) -> name.endsWith(".rec"));
        for (File file : files == null ? new File[0] : files) {
            try (RandomAccessFile recorded = new RandomAccessFile(file, "r")) {
                if (recorded.length() > 0 && recorded.read() > 0) {
                    throw new IllegalArgumentException(file + " has something, but " + StateFetch.cluster(folder)
                            + " does not note that anything was recorded");
                }
            }
        }
    }

    private static void requireTerm(long term, long last, Path folder) {
        if (term < Aeron.NULL_VALUE || term - last > MOST_TERMS) {
            throw new IllegalArgumentException("a leader of term " + term + " is noted in " + StateFetch.cluster(folder)
                    + ", but the last one before was of term " + last);
        }
    }
}
