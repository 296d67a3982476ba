package dev.escapement.cluster.aeron;

import io.aeron.Aeron;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ClusterBackup;
import io.aeron.cluster.ClusterBackupEventsListener;
import io.aeron.cluster.ClusterMember;
import io.aeron.cluster.RecordingLog;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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

    private static final long FETCH_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long IDLE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final NodeFolder folder;
    private final long ownEnd;
    private boolean answered;
    private boolean wanted;
    private boolean complete;
    private @Nullable Exception failure;

    StateFetch(NodeFolder folder) {
        this.folder = folder;
        ownEnd = folder.endOfLog();
    }

    /** Whether a leader has answered. */
    boolean hasLeader() {
        return answered;
    }

    /** Whether its state was copied. */
    boolean isComplete() {
        return complete;
    }

    /**
     * Asks the leader, and copies its state if that is needed.
     *
     * @param driver  is driven, and so is the archive of the context
     */
    void fetch(ClusterNode node, Aeron aeron, AgentInvoker driver, AeronArchive.Context archive, String anyPort) {
        ClusterBackup.Context context = new ClusterBackup.Context()
                .aeron(aeron)
                .epochClock(aeron.context().epochClock())
                .errorCounter(aeron.addCounter(0, "fetch errors"))
                .clusterDir(folder.fetchedCluster())
                .markFileDir(folder.fetchedCluster().getParentFile())
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
}
