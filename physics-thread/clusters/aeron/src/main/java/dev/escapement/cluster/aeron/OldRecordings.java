package dev.escapement.cluster.aeron;

import io.aeron.Aeron;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.RecordingLog;
import java.util.ArrayList;
import java.util.List;

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

    OldRecordings(long keptLogBytes, int termBytes, int segmentBytes) {
        this.keptLogBytes = keptLogBytes;
        this.termBytes = termBytes;
        this.segmentBytes = segmentBytes;
    }

    /** Waits for the archive. */
    void purge(RecordingLog recordings, AeronArchive archive) {
        long neededPosition = Long.MAX_VALUE;
        long firstKept = Long.MAX_VALUE;
        int states = 0;
        for (int i = recordings.entries().size() - 1; i >= 0; i--) { // the newest first
            RecordingLog.Entry entry = recordings.entries().get(i);
            if (entry.type == RecordingLog.ENTRY_TYPE_SNAPSHOT
                    && entry.isValid
                    && entry.logPosition <= neededPosition) {
                states += entry.logPosition < neededPosition ? 1 : 0;
                if (states > KEPT_STATES) {
                    break;
                }
                neededPosition = entry.logPosition;
                firstKept = Math.min(firstKept, entry.recordingId);
            }
        }
        long log = recordings.findLastTermRecordingId();
        if (states >= KEPT_STATES && log != Aeron.NULL_VALUE) {
            purgeStatesBefore(firstKept, log, archive);
            purgeBefore(log, Math.min(neededPosition, archive.getMaxRecordedPosition(log) - keptLogBytes), archive);
        }
    }

    /** Also what a process has left that was killed while it saved one. */
    private static void purgeStatesBefore(long firstKept, long log, AeronArchive archive) {
        List<Long> old = new ArrayList<>();
        archive.listRecordings(
                0,
                Integer.MAX_VALUE,
                (session,
                        correlation,
                        recording,
                        start,
                        stop,
                        from,
                        to,
                        term,
                        segment,
                        termLength,
                        mtu,
                        by,
                        stream,
                        channel,
                        original,
                        source) -> {
                    if (recording < firstKept && recording != log) {
                        old.add(recording);
                    }
                });
        old.forEach(archive::purgeRecording);
    }

    private void purgeBefore(long log, long position, AeronArchive archive) {
        long start = archive.getStartPosition(log);
        if (position - start >= segmentBytes) {
            archive.purgeSegments(log, AeronArchive.segmentFileBasePosition(start, position, termBytes, segmentBytes));
        }
    }
}
