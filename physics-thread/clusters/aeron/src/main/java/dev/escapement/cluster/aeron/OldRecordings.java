package dev.escapement.cluster.aeron;

import io.aeron.Aeron;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.ArchiveException;
import io.aeron.cluster.RecordingLog;
import java.util.HashSet;
import java.util.Set;

/**
 * Deletes what a node has recorded and does not need any more: all states but the last two, and the log before those, except for what other
 * nodes may ask for that were down.
 *
 * <p>One thread.
 */
final class OldRecordings {

    private static final int KEPT_STATES = 2;

    private final long keptLogBytes;
    private final int termBytes;
    private final int segmentBytes;

    /** Of this process. Those that an earlier one has purged are unknown to the archive. */
    private final Set<Long> purged = new HashSet<>();

    OldRecordings(long keptLogBytes, int termBytes, int segmentBytes) {
        this.keptLogBytes = keptLogBytes;
        this.termBytes = termBytes;
        this.segmentBytes = segmentBytes;
    }

    /** Waits for the archive. */
    void purge(RecordingLog recordings, AeronArchive archive) {
        long neededPosition = Long.MAX_VALUE;
        int states = 0;
        for (int i = recordings.entries().size() - 1; i >= 0; i--) { // the newest first
            RecordingLog.Entry entry = recordings.entries().get(i);
            if (entry.type == RecordingLog.ENTRY_TYPE_SNAPSHOT && entry.isValid && entry.logPosition < neededPosition) {
                if (states < KEPT_STATES) {
                    states++;
                    neededPosition = entry.logPosition;
                } else if (!purged.contains(entry.recordingId)) {
                    purge(entry.recordingId, archive);
                    purged.add(entry.recordingId);
                }
            }
        }
        long log = recordings.findLastTermRecordingId();
        if (states == KEPT_STATES && log != Aeron.NULL_VALUE) {
            long end = archive.getMaxRecordedPosition(log);
            purgeBefore(log, Math.min(neededPosition, end - keptLogBytes), archive);
        }
    }

    private static void purge(long recording, AeronArchive archive) {
        try {
            archive.purgeRecording(recording);
        } catch (ArchiveException e) {
            if (e.errorCode() != ArchiveException.UNKNOWN_RECORDING) {
                throw e;
            }
        }
    }

    private void purgeBefore(long log, long position, AeronArchive archive) {
        long start = archive.getStartPosition(log);
        if (position - start >= segmentBytes) {
            archive.purgeSegments(log, AeronArchive.segmentFileBasePosition(start, position, termBytes, segmentBytes));
        }
    }
}
