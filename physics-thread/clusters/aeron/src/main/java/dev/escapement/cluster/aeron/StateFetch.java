package dev.escapement.cluster.aeron;

import io.aeron.Aeron;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ClusterBackup;
import io.aeron.cluster.ClusterBackupEventsListener;
import io.aeron.cluster.ClusterMember;
import io.aeron.cluster.NodeStateFile;
import io.aeron.cluster.RecordingLog;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.IoUtil;
import org.agrona.concurrent.AgentInvoker;
import org.jspecify.annotations.Nullable;

/**
 * Brings a node up to date whose log ends before the state that the cluster has saved last, because it was down for long, or has lost its
 * folder: that state and the log since are copied from the leader, with Aeron's cluster backup, and take the place of its own. Other nodes
 * may have deleted what is in between.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>What the node has stays as it is until all else is there. If that cannot be had, the node goes on with its own.</li>
 *   <li>Nothing that this node has acknowledged is missing in what takes its place: its own log ends before the copied state.</li>
 * </ol>
 *
 * <p>One thread, before the node begins.
 */
final class StateFetch implements ClusterBackupEventsListener {

    private static final String FETCHED = "fetched";
    private static final String COMPLETE = "complete";
    private static final String DONE = "done";
    private static final long FETCH_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long IDLE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final Path folder;
    private final long ownEnd;
    private boolean answered;
    private boolean wanted;
    private boolean complete;
    private @Nullable Exception failure;

    /** Of a node with a folder, whose log has segments of a size. */
    StateFetch(Path folder, int segmentBytes) {
        this.folder = folder;
        ownEnd = endOfLog(folder, segmentBytes);
    }

    /** Not before where the log ends that the node has. 0 if it has none. */
    private static long endOfLog(Path folder, int segmentBytes) {
        File cluster = cluster(folder);
        String[] recorded = archive(folder).list();
        if (recorded == null || !new File(cluster, RecordingLog.RECORDING_LOG_FILE_NAME).exists()) {
            return 0;
        }
        long begin = Long.MAX_VALUE;
        long end = 0;
        boolean hasState;
        try (RecordingLog recordings = new RecordingLog(cluster, false)) {
            hasState = recordings.getLatestSnapshot(0) != null;
            String log = recordings.findLastTermRecordingId() + "-";
            for (String segment : recorded) {
                if (segment.startsWith(log)) {
                    long position = Long.parseLong(segment.substring(log.length(), segment.indexOf('.')));
                    begin = Math.min(begin, position);
                    end = Math.max(end, position + segmentBytes);
                }
            }
        }
        return hasState || begin == 0 ? end : 0; // without its begin, a log is of no use
    }

    static File archive(Path folder) {
        return folder.resolve("archive").toFile();
    }

    static File cluster(Path folder) {
        return folder.resolve("cluster").toFile();
    }

    /** Whether a leader has answered. */
    boolean hasLeader() {
        return answered;
    }

    /** Where it is kept until it is complete. */
    Path fetched() {
        return folder.resolve(FETCHED);
    }

    /**
     * Asks the leader, and copies its state if that is needed. It takes the place of what the node has with {@link #replaceOwn}.
     *
     * @param driver  is driven, and so is the archive of the context
     */
    void fetch(ClusterNode node, Aeron aeron, AgentInvoker driver, AeronArchive.Context archive, String anyPort) {
        ClusterBackup.Context context = new ClusterBackup.Context()
                .aeron(aeron)
                .epochClock(aeron.context().epochClock())
                .errorCounter(aeron.addCounter(0, "fetch errors"))
                .clusterDir(cluster(fetched()))
                .markFileDir(fetched().toFile())
                .archiveContext(archive)
                .clusterArchiveContext(new AeronArchive.Context()
                        .controlRequestChannel("aeron:udp")
                        .controlResponseChannel(anyPort)
                        .agentInvoker(driver))
                .consensusChannel("aeron:udp?endpoint=" + node.consensusEndpoint())
                .clusterConsensusEndpoints(node.consensusEndpointsOfOthers())
                .catchupEndpoint(node.host() + ":0")
                .sourceType(ClusterBackup.SourceType.LEADER) // others may not have all of the log yet
                .initialReplayStart(ClusterBackup.Configuration.ReplayStart.LATEST_SNAPSHOT)
                .clusterBackupResponseTimeoutNs(ASK_NANOS)
                .clusterBackupCoolDownIntervalNs(ASK_NANOS)
                .useAgentInvoker(true)
                .eventsListener(this)
                .errorHandler(this::note);
        // The others are asked in turn, and who leads once more.
        long answerNanos = 2L * (node.hosts().size() - 1) * ASK_NANOS;
        try (ClusterBackup backup = ClusterBackup.launch(context)) {
            long beganNanos = System.nanoTime();
            while (!complete
                    && (wanted || !answered)
                    && System.nanoTime() - beganNanos < (wanted ? FETCH_NANOS : answerNanos)) {
                backup.conductorAgentInvoker().invoke();
                driver.invoke();
                Objects.requireNonNull(archive.agentInvoker()).invoke();
                LockSupport.parkNanos(IDLE_NANOS);
            }
        }
        if (wanted && !complete) {
            throw new IllegalStateException(
                    "the state of the leader could not be copied within " + TimeUnit.NANOSECONDS.toSeconds(FETCH_NANOS)
                            + " s" + (failure == null ? "" : ": " + failure.getMessage()),
                    failure);
        }
        if (complete) {
            finish();
        }
    }

    private void note(Throwable error) {
        failure = error instanceof Exception exception ? exception : new IllegalStateException(error);
    }

    @Override
    public void onBackupQuery() {}

    @Override
    public void onPossibleFailure(Exception error) {
        note(error);
    }

    @Override
    public void onBackupResponse(ClusterMember[] members, ClusterMember leader, List<RecordingLog.Snapshot> snapshots) {
        answered = true;
        wanted = snapshots.stream().anyMatch(snapshot -> snapshot.logPosition() > ownEnd);
    }

    @Override
    public void onUpdatedRecordingLog(RecordingLog recordings, List<RecordingLog.Snapshot> snapshots) {
        complete |= !snapshots.isEmpty();
    }

    @Override
    public void onLiveLogProgress(long recording, long counter, long position) {}

    /** Puts what was fetched where the node's own was. If the process ends within this, it is done again at the next start. */
    static void replaceOwn(Path folder) {
        Path complete = folder.resolve(COMPLETE);
        try {
            if (Files.exists(folder.resolve(FETCHED).resolve(DONE))) {
                IoUtil.delete(complete.toFile(), true);
                Files.move(folder.resolve(FETCHED), complete, StandardCopyOption.ATOMIC_MOVE);
            }
            if (Files.exists(complete)) {
                replace(archive(folder), archive(complete));
                replace(cluster(folder), cluster(complete));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the state that was copied cannot be kept in " + folder + ": " + e, e);
        }
        IoUtil.delete(complete.toFile(), true);
        IoUtil.delete(folder.resolve(FETCHED).toFile(), true);
    }

    private static void replace(File own, File by) throws IOException {
        if (by.exists()) { // otherwise it was moved before
            IoUtil.delete(own, true);
            Files.move(by.toPath(), own.toPath(), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** It is complete. For whom this node has voted is not forgotten. */
    private void finish() {
        Path votes = cluster(folder).toPath().resolve(NodeStateFile.FILENAME);
        try {
            if (Files.exists(votes)) {
                Files.copy(
                        votes,
                        cluster(fetched()).toPath().resolve(NodeStateFile.FILENAME),
                        StandardCopyOption.REPLACE_EXISTING);
            }
            Files.createFile(fetched().resolve(DONE));
        } catch (IOException e) {
            throw new UncheckedIOException("the state of the leader cannot be kept in " + folder + ": " + e, e);
        }
    }
}
