package dev.escapement.cluster.aeron;

import io.aeron.Aeron;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ClusterBackup;
import io.aeron.cluster.ClusterBackupEventsListener;
import io.aeron.cluster.ClusterMember;
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

    private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(1);
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
        long end = 0;
        try (RecordingLog recordings = new RecordingLog(cluster, false)) {
            String log = recordings.findLastTermRecordingId() + "-";
            for (String segment : recorded) {
                if (segment.startsWith(log)) {
                    long position = Long.parseLong(segment.substring(log.length(), segment.indexOf('.')));
                    end = Math.max(end, position + segmentBytes);
                }
            }
        }
        return end;
    }

    static File archive(Path folder) {
        return folder.resolve("archive").toFile();
    }

    static File cluster(Path folder) {
        return folder.resolve("cluster").toFile();
    }

    /** Where it is kept until it is complete. */
    Path fetched() {
        return folder.resolve("fetched");
    }

    /**
     * Asks the leader, and copies its state if that is needed.
     *
     * @param driver  is driven, and so is the archive of the context
     * @return whether {@link #replaceOwn} is to be called, once nothing uses the folder
     */
    boolean fetch(ClusterNode node, Aeron aeron, AgentInvoker driver, AeronArchive.Context archive, String anyPort) {
        ClusterBackup.Context context = new ClusterBackup.Context()
                .aeron(aeron)
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
        try (ClusterBackup backup = ClusterBackup.launch(context)) {
            long beganNanos = System.nanoTime();
            while (!complete
                    && (wanted || !answered)
                    && System.nanoTime() - beganNanos < (wanted ? FETCH_NANOS : ANSWER_NANOS)) {
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
        return complete;
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
        wanted = snapshots.stream().anyMatch(snapshot -> snapshot.logPosition() >= ownEnd);
    }

    @Override
    public void onUpdatedRecordingLog(RecordingLog recordings, List<RecordingLog.Snapshot> snapshots) {
        complete |= !snapshots.isEmpty();
    }

    @Override
    public void onLiveLogProgress(long recording, long counter, long position) {}

    /** Puts what was fetched where the node's own was. */
    void replaceOwn() {
        IoUtil.delete(cluster(folder), true); // first: without it, the archive means nothing
        IoUtil.delete(archive(folder), true);
        try {
            Files.move(archive(fetched()).toPath(), archive(folder).toPath(), StandardCopyOption.ATOMIC_MOVE);
            Files.move(cluster(fetched()).toPath(), cluster(folder).toPath(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("the state that was copied cannot be kept in " + folder + ": " + e, e);
        }
    }
}
