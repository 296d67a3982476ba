package dev.escapement.cluster.aeron;

import io.aeron.Aeron;
import io.aeron.cluster.NodeStateFile;
import io.aeron.cluster.RecordingLog;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

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
     * @throws IllegalArgumentException if it is damaged
     * @throws IOException              if it cannot be read
     */
    static void check(Path folder) throws IOException {
        File cluster = StateFetch.cluster(folder);
        if (!new File(cluster, RecordingLog.RECORDING_LOG_FILE_NAME).isFile()) {
            requireNothingRecorded(folder);
            return;
        }
        long last = Aeron.NULL_VALUE;
        long fromPosition = 0;
        boolean hasLog;
        try (RecordingLog recordings = new RecordingLog(cluster, false)) {
            for (RecordingLog.Entry entry : recordings.entries()) {
                requireTerm(entry.leadershipTermId, last, folder);
                last = Math.max(last, entry.leadershipTermId);
            }
            RecordingLog.Entry state = recordings.getLatestSnapshot(0);
            fromPosition = state == null ? 0 : state.logPosition;
            hasLog = recordings.findLastTermRecordingId() != Aeron.NULL_VALUE;
        }
        if (new File(cluster, NodeStateFile.FILENAME).isFile()) {
            try (NodeStateFile votes = new NodeStateFile(cluster, false, 0)) {
                requireTerm(votes.candidateTerm().candidateTermId(), last, folder);
            }
        }
        if (!hasLog) {
            requireNothingRecorded(folder);
        } else {
            LogMessages log = new LogMessages(folder, fromPosition);
            while (log.next()) {
                // to its end
            }
        }
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
