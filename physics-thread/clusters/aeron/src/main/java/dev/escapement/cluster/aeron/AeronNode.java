package dev.escapement.cluster.aeron;

import dev.escapement.transport.aeron.AeronDriver;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.PriorityHeapTimerServiceSupplier;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.EgressListener;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.cluster.service.ClusteredServiceContainer;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.jspecify.annotations.Nullable;

/**
 * What Aeron Cluster needs on a node: a driver, an archive that stores the log, the module that orders inputs and elects who leads, and the
 * container of what reads the log.
 *
 * <p>Any thread may close it.
 */
final class AeronNode implements AutoCloseable {

    private static final String IPC = "aeron:ipc?term-length=128k";
    private static final String LOG_CHANNEL = "aeron:udp?term-length=1m";
    private static final String INGRESS_CHANNEL = "aeron:udp?term-length=1m";
    private static final int SEGMENT_BYTES = 4 << 20;
    private static final int CATALOG_BYTES = 1 << 16;
    private static final long HEARTBEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long ELECTION_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long CANVASS_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long CLIENT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long IDLE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    private final ClusterNode node;
    private final @Nullable FileChannel lock;
    private final AeronDriver driver;
    private @Nullable Archive archive;
    private @Nullable ConsensusModule module;
    private @Nullable ClusteredServiceContainer container;
    private final ErrorHandler errors;

    /** Starts all, or nothing. */
    AeronNode(ClusterNode node, ClusterTime clock, ClusteredService service, ErrorHandler errors) {
        this.node = node;
        this.errors = errors;
        lock = lock(node.folder());
        AeronDriver started = null;
        try {
            started = AeronDriver.embedded();
            driver = started;
            archive = Archive.launch(archiveContext());
            module = ConsensusModule.launch(moduleContext(clock));
            container = ClusteredServiceContainer.launch(serviceContext(service));
        } catch (Throwable e) { // Agrona throws checked ones, too
            CloseHelper.quietCloseAll(container, module, archive, started, lock);
            throw e;
        }
    }

    /** Aeron's own check would refuse a node for 10 s after it was killed. */
    private static FileChannel lock(Path folder) {
        try {
            Files.createDirectories(folder);
            FileChannel channel =
                    FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            try {
                FileLock lock = channel.tryLock();
                if (lock != null) {
                    return channel;
                }
            } catch (OverlappingFileLockException inThisProcess) {
                // refused below
            }
            channel.close();
            throw new IllegalStateException(
                    "another node keeps its log in " + folder + "; each node needs a folder of its own");
        } catch (IOException e) {
            throw new UncheckedIOException("the log of a node cannot be kept in " + folder + ": " + e, e);
        }
    }

    private String directory() {
        return driver.directory().toString();
    }

    /** Of what tells that a process runs: with the driver, because that of a killed process would refuse the next one. */
    private File marks() {
        return driver.directory().toFile();
    }

    private static IdleStrategy idle() {
        return new SleepingIdleStrategy(IDLE_NANOS);
    }

    private String anyPort() {
        return "aeron:udp?endpoint=" + node.host() + ":0";
    }

    private Archive.Context archiveContext() {
        return new Archive.Context()
                .aeronDirectoryName(directory())
                .archiveDir(node.folder().resolve("archive").toFile())
                .markFileDir(marks())
                .threadingMode(ArchiveThreadingMode.SHARED)
                .idleStrategySupplier(AeronNode::idle)
                .segmentFileLength(SEGMENT_BYTES)
                .catalogCapacity(CATALOG_BYTES)
                .controlChannel("aeron:udp?endpoint=" + node.archiveEndpoint())
                .localControlChannel(IPC)
                .archiveClientContext(new AeronArchive.Context().controlResponseChannel(anyPort()))
                .replicationChannel(anyPort())
                .recordingEventsEnabled(false)
                .errorHandler(errors);
    }

    private AeronArchive.Context archiveClientContext() {
        return new AeronArchive.Context()
                .aeronDirectoryName(directory())
                .controlRequestChannel(IPC)
                .controlRequestStreamId(AeronArchive.Configuration.localControlStreamId())
                .controlResponseChannel(IPC);
    }

    private ConsensusModule.Context moduleContext(ClusterTime clock) {
        return new ConsensusModule.Context()
                .aeronDirectoryName(directory())
                .clusterDir(node.folder().resolve("cluster").toFile())
                .markFileDir(marks())
                .clusterMemberId(node.number())
                .clusterMembers(node.members())
                .clusterClock(clock)
                .timerServiceSupplier(new PriorityHeapTimerServiceSupplier())
                .idleStrategySupplier(AeronNode::idle)
                .leaderHeartbeatTimeoutNs(HEARTBEAT_NANOS)
                .leaderHeartbeatIntervalNs(ELECTION_NANOS / 2)
                .electionTimeoutNs(ELECTION_NANOS)
                .electionStatusIntervalNs(ELECTION_NANOS / 4)
                .startupCanvassTimeoutNs(CANVASS_NANOS)
                .sessionTimeoutNs(CLIENT_NANOS)
                .logChannel(LOG_CHANNEL)
                .ingressChannel(INGRESS_CHANNEL)
                .replicationChannel(anyPort())
                .archiveContext(archiveClientContext())
                .terminationHook(() -> errors.onError(new IllegalStateException("the cluster has ended this node")))
                .errorHandler(errors);
    }

    private ClusteredServiceContainer.Context serviceContext(ClusteredService service) {
        return new ClusteredServiceContainer.Context()
                .aeronDirectoryName(directory())
                .clusterDir(node.folder().resolve("cluster").toFile())
                .markFileDir(marks())
                .idleStrategySupplier(AeronNode::idle)
                .archiveContext(archiveClientContext())
                .clusteredService(service)
                .terminationHook(() -> errors.onError(new IllegalStateException("the cluster has ended this node")))
                .errorHandler(errors);
    }

    /** Of a client of the cluster that uses the driver of this node. */
    AeronCluster.Context clientContext(EgressListener listener) {
        return new AeronCluster.Context()
                .aeronDirectoryName(directory())
                .ingressChannel(INGRESS_CHANNEL)
                .ingressEndpoints(node.ingressEndpoints())
                .egressChannel(anyPort())
                .egressListener(listener)
                .messageTimeoutNs(CLIENT_NANOS)
                .newLeaderTimeoutNs(CLIENT_NANOS)
                .errorHandler(errors);
    }

    @Override
    public void close() {
        CloseHelper.quietCloseAll(container, module, archive, driver, lock);
    }
}
