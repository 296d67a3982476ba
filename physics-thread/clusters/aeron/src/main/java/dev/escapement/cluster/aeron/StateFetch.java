package dev.escapement.cluster.aeron;

import io.aeron.Aeron;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ClusterBackup;
import io.aeron.cluster.ClusterBackupEventsListener;
import io.aeron.cluster.ClusterMember;
import io.aeron.cluster.RecordingLog;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.AgentInvoker;
import org.jspecify.annotations.Nullable;

/**
 * Copies the leader's last saved state, and the log since, to a node whose own log ends before that state. Such a node was down for long,
 * or has lost its folder; other nodes may have deleted the log that it lacks. Uses Aeron's cluster backup.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>The node's own state and log stay until the copy is complete. If the copy fails, the node starts with its own state.</li>
 *   <li>The copy has every entry that this node has acknowledged, because the node's own log ends before the copied state.</li>
 * </ol>
 *
 * <p>Only one thread may use it, before the node begins.
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

    /** The position at which the last term in the copied recording log begins. The copied log must reach it, or the node cannot join. */
    private long neededPosition = Long.MAX_VALUE;

    private @Nullable Exception failure;

    StateFetch(NodeFolder folder) throws IOException {
        this.folder = folder;
        ownEnd = folder.endOfLog();
    }

    boolean isComplete() {
        return complete;
    }

    /**
     * Asks the leader for its last saved state, and copies that state if it is newer than the end of the node's own log.
     *
     * @param driver  the media driver; this method drives it, and the archive of {@code archive}
     * @param leaving whether the node is about to close; then this method gives up the copy
     */
    void fetch(
            ClusterNode node,
            Aeron aeron,
            AgentInvoker driver,
            AeronArchive.Context archive,
            AeronArchive.Context remote,
            BooleanSupplier leaving) {
        ClusterBackup.Context context = new ClusterBackup.Context()
                .aeron(aeron)
                .epochClock(aeron.context().epochClock())
                .errorCounter(aeron.addCounter(0, "fetch errors"))
                .clusterDir(folder.fetchedCluster())
                .markFileDir(folder.fetchedCluster().getParentFile())
                .archiveContext(archive)
                .clusterArchiveContext(remote.controlRequestChannel("aeron:udp").agentInvoker(driver))
                .consensusChannel("aeron:udp?endpoint=" + node.consensusEndpoint())
                .clusterConsensusEndpoints(node.consensusEndpointsOfOthers())
                .catchupEndpoint(node.host() + ":0")
                .sourceType(ClusterBackup.SourceType.LEADER) // followers may not have all of the log yet
                .initialReplayStart(ClusterBackup.Configuration.ReplayStart.LATEST_SNAPSHOT)
                .clusterBackupResponseTimeoutNs(ASK_NANOS)
                .clusterBackupCoolDownIntervalNs(ASK_NANOS)
                .useAgentInvoker(true)
                .eventsListener(this)
                .errorHandler(this::note);
        // Long enough to ask each other node in turn, and the leader once more.
        long answerNanos = 2L * (node.hosts().size() - 1) * ASK_NANOS;
        try (ClusterBackup backup = ClusterBackup.launch(context)) {
            long beganNanos = System.nanoTime();
            while (!leaving.getAsBoolean()
                    && !complete
                    && (wanted || !answered)
                    && System.nanoTime() - beganNanos < (wanted ? FETCH_NANOS : answerNanos)) {
                backup.conductorAgentInvoker().invoke();
                copied(context.liveLogPositionCounter().get());
                driver.invoke();
                Objects.requireNonNull(archive.agentInvoker()).invoke();
                LockSupport.parkNanos(IDLE_NANOS);
            }
        }
        if (wanted && !complete && !leaving.getAsBoolean()) {
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
        // |= because the backup asks again after a stalled copy. It has noted the snapshots by then, and reports none
        // as newer.
        wanted |= snapshots.stream().anyMatch(snapshot -> snapshot.logPosition() > ownEnd);
    }

    @Override
    public void onUpdatedRecordingLog(RecordingLog recordings, List<RecordingLog.Snapshot> snapshots) {
        if (!snapshots.isEmpty()) {
            neededPosition = Objects.requireNonNull(recordings.findLastTerm()).termBaseLogPosition;
        }
    }

    void copied(long position) {
        complete |= position >= neededPosition;
    }

    @Override
    public void onLiveLogProgress(long recording, long counter, long position) {}
}
