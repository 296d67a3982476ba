package dev.escapement.cluster.aeron;

import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.transport.aeron.AeronDriver;
import io.aeron.Aeron;
import io.aeron.Counter;
import io.aeron.RethrowingErrorHandler;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.ElectionState;
import io.aeron.cluster.PriorityHeapTimerServiceSupplier;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.status.SystemCounterDescriptor;
import java.io.File;
import java.io.IOException;
import java.net.BindException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.IoUtil;
import org.agrona.SemanticVersion;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpLock;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Starts, drives and closes the parts of Aeron Cluster on a node: the media driver, the archive that stores the log, the consensus module
 * that orders inputs and elects a leader, and the container of the service that reads the log.
 *
 * <p>Any thread may close it.
 */
final class AeronNode implements AutoCloseable {

    /** The version that Aeron writes to the log and to saved states. Aeron ends a node that reads data of another version. */
    private static final int APP_VERSION = SemanticVersion.compose(ClusterNode.FORMAT_VERSION, 0, 0);

    private static final String IPC = "aeron:ipc?term-length=128k";
    static final int TERM_BYTES = 1 << 20;
    private static final String LOG_CHANNEL = "aeron:udp?term-length=" + TERM_BYTES;
    static final String INGRESS_CHANNEL =
            "aeron:udp?term-length=1m|mtu=" + AeronDriver.MTU_BYTES; // the MTU holds for the drivers of clients, too
    static final int SEGMENT_BYTES = 4 << 20;
    private static final int CATALOG_BYTES = 1 << 16;
    private static final long CANVASS_NANOS = TimeUnit.SECONDS.toNanos(2);
    static final long CLIENT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(4);

    /**
     * The longest sleep of the idle node's thread: much shorter than the timeouts of Aeron's parts, or they would expire during a sleep.
     */
    private static final long MAX_IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final long MIN_IDLE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final ClusterNode node;
    private final Consumer<String> log;
    private final ErrorHandler errors;
    private final NodeFolder folder;
    private final WorldExchange exchange;
    private final ClusteredService service;

    /**
     * The media driver. All parts share its clock, because they compare each other's heartbeats with it. The clock stops while the process
     * is suspended, so that no part seems dead afterwards.
     */
    private final MediaDriver driver;

    private @Nullable Archive archive;
    private @Nullable ClusteredServiceContainer container;
    private final Thread thread;

    /**
     * The sleep of the idle node's thread: 3/14 of the lead, but at least {@link #MIN_IDLE_NANOS} and at most {@link #MAX_IDLE_NANOS}. The
     * log entry that ends a tick's input waits for three such sleeps and for one of the service's thread, which is 2/3 as long. At 3/14
     * that is 11/14 of the lead, so the entry is read before the tick is due.
     */
    private final long idleNanos;

    /**
     * The current sleep of the node's thread, which alone uses this field. It is shorter than {@link #idleNanos} during an election,
     * because an election takes a dozen passes of the loop in a row.
     */
    private long idleNowNanos = MIN_IDLE_NANOS;

    // Volatile: close() sets it after it has closed the container; the node's thread sees it in its next wait.
    private volatile boolean closing;

    // Volatile: other threads see changes of the fields below soon; nothing else is ordered by them.
    /** Whether this node is about to close, and must not join any more. */
    private volatile boolean leaving;

    /** Whether a part of Aeron has ended, so that this node has left the cluster. */
    private volatile boolean ended;

    private volatile boolean leads;
    private volatile long saves;
    final NodeProgress progress;

    private final long keptLogBytes;
    private long savesSeen;

    /**
     * Starts all parts of Aeron, or throws an IllegalStateException that names the port or folder that cannot be used. If no majority
     * answers within 1.5 s, a later call of {@link #tryToJoin} starts most of the parts.
     */
    AeronNode(
            ClusterNode node,
            NodeFolder folder,
            long keptLogBytes,
            ClusterTime clock,
            ClusteredService service,
            Consumer<String> log) {
        this.node = node;
        this.service = service;
        this.log = log;
        idleNanos = Math.min(MAX_IDLE_NANOS, Math.max(MIN_IDLE_NANOS, node.leadNanos() * 3 / 14));
        this.keptLogBytes = keptLogBytes;
        this.folder = folder;
        driver = launchDriver();
        progress = new NodeProgress(node, driver.context().nanoClock(), folder::recordedEnd);
        errors = error -> {
            if (!leaving) {
                log.accept(AeronDriver.firstLine(error));
            }
            progress.error(error);
        };
        exchange = exchange();
        thread = new Thread(() -> run(clock), "escapement-cluster-node");
        thread.setDaemon(true);
        try {
            long beganNanos = System.nanoTime();
            while (!tryToJoin() && System.nanoTime() - beganNanos < WorldVotes.ANSWER_NANOS * 3 / 2) {
                LockSupport.parkNanos(MAX_IDLE_NANOS);
            }
        } catch (Throwable e) { // Agrona also throws undeclared checked exceptions
            boolean threadHasEnded = ended; // e may only say that the container waited in vain
            close();
            if (threadHasEnded) {
                throw progress.unreadable("the node has ended while it read the folder");
            }
            throw e;
        }
    }

    private MediaDriver launchDriver() {
        try {
            node.requirePorts();
            return MediaDriver.launch(AeronDriver.newContext()
                    .threadingMode(ThreadingMode.INVOKER)
                    .termBufferSparseFile(true)); // sparse, because most of the many streams stay nearly empty
        } catch (Throwable e) { // Agrona also throws undeclared checked exceptions
            CloseHelper.quietClose(folder);
            throw e;
        }
    }

    private WorldExchange exchange() {
        try {
            folder.read();
            return new WorldExchange(node, folder, this::hasJoined, System::nanoTime, log);
        } catch (Exception e) {
            CloseHelper.quietCloseAll(driver, folder);
            if (e instanceof BindException) {
                node.requirePorts(); // names the port that another process took since the driver was launched
            }
            progress.error(e);
            throw progress.unreadable("it cannot be opened");
        }
    }

    /**
     * Joins the other nodes if a majority has the same world. Copies the leader's state if necessary, starts the remaining parts of Aeron,
     * and waits for them, for up to a minute. Only one thread may call it.
     *
     * @return whether this node has joined
     * @throws IllegalStateException if a majority has another world, or a part cannot be started
     */
    boolean tryToJoin() {
        if (container == null && exchange.tryToJoin()) {
            open();
            if (!leaving) { // else close() closes the open parts
                thread.start();
                container = ClusteredServiceContainer.launch(serviceContext(service));
            }
        }
        return container != null;
    }

    /** Makes a running {@link #tryToJoin} give up. A thread that closes this node calls it before it waits for the joining thread. */
    void stopJoining() {
        leaving = true;
    }

    private void open() {
        try {
            folder.replaceOwn(); // completes a replacement that a killed process began
            if (node.hosts().size() > 1) {
                fetchState();
            }
            archive = Archive.launch(archiveContext(folder.archive()));
            // Else the module and the container would both create the folder, and one of them fail.
            IoUtil.ensureDirectoryExists(folder.cluster(), "cluster");
        } catch (Exception e) { // Agrona also throws undeclared checked exceptions
            progress.error(e);
            throw progress.unreadable("it cannot be opened");
        }
    }

    /**
     * Drives the media driver, archive and consensus module on one thread. Each receives the others' messages in the same pass of the loop.
     */
    private void run(ClusterTime clock) {
        try (ConsensusModule module = ConsensusModule.launch(moduleContext(clock))) {
            Counter saved = module.context().snapshotCounter();
            Counter election = module.context().electionStateCounter();
            Counter position = module.context().commitPositionCounter();
            Counter role = module.context().clusterNodeRoleCounter();
            AgentInvoker turn = module.conductorAgentInvoker();
            IdleStrategy idle = new DrivingIdle();
            while (!closing && !turn.isClosed() && !archive().invoker().isClosed()) {
                saves = saved.get(); // read before the module works, which may close it and free its counters
                ElectionState state = ElectionState.get(election);
                progress.turn(state, position.get());
                module.context().leaderHeartbeatTimeoutNs(progress.patienceNanos());
                boolean waits = progress.knowsLeader() || state == ElectionState.INIT || state == ElectionState.CANVASS;
                idleNowNanos = waits ? idleNanos : MIN_IDLE_NANOS;
                leads = role.get() == Cluster.Role.LEADER.code();
                idle.idle(turn.invoke());
            }
        } catch (AgentTerminationException closed) {
            // the module or this node closes in the middle of a pass
        } catch (Throwable e) { // Agrona also throws undeclared checked exceptions
            errors.onError(e);
        } finally {
            leads = false;
            ended = true;
            CloseHelper.quietCloseAll(archive, driver, folder); // this thread drove them, so it must close them
        }
    }

    /**
     * Deletes older saved states and the log before them, if a state was saved since the last call. Waits for the archive. Only one thread
     * may call it.
     */
    void purgeOld() {
        if (ended || saves == savesSeen) {
            return;
        }
        savesSeen = saves;
        try (AeronArchive connected = AeronArchive.connect(
                archiveClientContext().aeron(Aeron.connect(clientContext())).ownsAeronClient(true))) {
            folder.purgeOld(connected, keptLogBytes);
        }
    }

    /** Whether this node was elected leader, and has heard from a majority within {@link Failover#heartbeatTimeoutNanos}. */
    boolean leads() {
        return leads;
    }

    /** Whether other nodes may count this node as one that leads, or has joined a leader. */
    private boolean hasJoined() {
        return progress.hasJoined() && !ended;
    }

    boolean knowsLeader() {
        return progress.knowsLeader() && !ended;
    }

    boolean hasEnded() {
        return ended;
    }

    /** Drives the archive and the media driver whenever the consensus module idles or waits for their answers. */
    private final class DrivingIdle implements IdleStrategy {

        @Override
        public void idle(int workCount) {
            if (closing) {
                throw new AgentTerminationException();
            }
            if (workCount + archive().invoker().invoke() == 0) { // the archive's invoker drives the driver, too
                LockSupport.parkNanos(idleNowNanos);
            }
        }

        @Override
        public void idle() {
            idle(0);
        }

        @Override
        public void reset() {}
    }

    private Archive archive() {
        return Objects.requireNonNull(archive);
    }

    /**
     * Returns the driver's directory, which also has Aeron's mark files. They are not beside the log, because mark files of a killed
     * process there would make Aeron refuse the next process.
     */
    private String directory() {
        return driver.aeronDirectoryName();
    }

    private String anyPort() {
        return "aeron:udp?endpoint=" + node.host() + ":0";
    }

    /** Copies the leader's state if this node was down for too long. Call it before the node's own archive runs. */
    private void fetchState() throws IOException {
        StateFetch fetch = new StateFetch(folder);
        try (Archive copies = Archive.launch(archiveContext(folder.fetchedArchive()));
                Aeron aeron = Aeron.connect(moduleClientContext())) {
            fetch.fetch(
                    node,
                    aeron,
                    driver.sharedAgentInvoker(),
                    archiveClientContext().agentInvoker(copies.invoker()),
                    remoteArchiveContext(),
                    () -> leaving);
        } catch (Exception e) { // Agrona also throws undeclared checked exceptions
            errors.onError(e); // then the node starts with its own state
        }
        if (fetch.isComplete()) {
            folder.keepFetched();
        }
    }

    private Archive.Context archiveContext(File recordings) {
        return new Archive.Context()
                .aeronDirectoryName(directory())
                .epochClock(driver.context().epochClock())
                .nanoClock(driver.context().nanoClock())
                .archiveDir(recordings)
                .markFileDir(new File(directory()))
                .threadingMode(ArchiveThreadingMode.INVOKER)
                .mediaDriverAgentInvoker(driver.sharedAgentInvoker())
                .segmentFileLength(SEGMENT_BYTES)
                .catalogCapacity(CATALOG_BYTES)
                .controlChannel("aeron:udp?endpoint=" + node.archiveEndpoint())
                .localControlChannel(IPC)
                .controlMtuLength(AeronDriver.MTU_BYTES)
                .archiveClientContext(remoteArchiveContext())
                .replicationChannel(anyPort())
                .recordingEventsEnabled(false)
                .recordChecksum(NodeFolder.checksum())
                .replayChecksum(NodeFolder.checksum())
                .errorHandler(errors);
    }

    private AeronArchive.Context remoteArchiveContext() {
        return new AeronArchive.Context()
                .controlMtuLength(AeronDriver.MTU_BYTES)
                .controlResponseChannel(anyPort());
    }

    private AeronArchive.Context archiveClientContext() {
        return new AeronArchive.Context()
                .controlMtuLength(AeronDriver.MTU_BYTES)
                .aeronDirectoryName(directory())
                .controlRequestChannel(IPC)
                .controlRequestStreamId(AeronArchive.Configuration.localControlStreamId())
                .controlResponseChannel(IPC);
    }

    /** Returns the context of a client that has its own thread. */
    Aeron.Context clientContext() {
        return new Aeron.Context()
                .aeronDirectoryName(directory())
                .epochClock(driver.context().epochClock())
                .nanoClock(driver.context().nanoClock())
                .errorHandler(errors);
    }

    private Aeron.Context moduleClientContext() {
        return clientContext()
                .useConductorAgentInvoker(true)
                .driverAgentInvoker(driver.sharedAgentInvoker())
                .clientLock(NoOpLock.INSTANCE)
                .subscriberErrorHandler(RethrowingErrorHandler.INSTANCE);
    }

    private ConsensusModule.Context moduleContext(ClusterTime clock) {
        return new ConsensusModule.Context()
                .aeronDirectoryName(directory())
                .epochClock(driver.context().epochClock())
                .clusterDir(folder.cluster())
                .markFileDir(new File(directory()))
                .aeron(Aeron.connect(moduleClientContext()))
                .ownsAeronClient(true)
                .errorCounter(driver.context().systemCounters().get(SystemCounterDescriptor.ERRORS))
                .useAgentInvoker(true)
                .idleStrategySupplier(DrivingIdle::new)
                .clusterMemberId(node.number())
                .clusterMembers(node.members())
                .clusterClock(clock)
                .appVersion(APP_VERSION)
                .timerServiceSupplier(new PriorityHeapTimerServiceSupplier())
                .leaderHeartbeatTimeoutNs(node.failover().heartbeatTimeoutNanos)
                .leaderHeartbeatIntervalNs(node.failover().heartbeatNanos)
                .electionTimeoutNs(node.failover().electionTimeoutNanos)
                .electionStatusIntervalNs(node.failover().electionTimeoutNanos / 4)
                .startupCanvassTimeoutNs(CANVASS_NANOS)
                .sessionTimeoutNs(CLIENT_NANOS)
                .logChannel(LOG_CHANNEL)
                .ingressChannel(INGRESS_CHANNEL)
                .replicationChannel(anyPort())
                .archiveContext(archiveClientContext().agentInvoker(archive().invoker()))
                .terminationHook(() -> ended = true)
                .errorHandler(errors);
    }

    private ClusteredServiceContainer.Context serviceContext(ClusteredService service) {
        return new ClusteredServiceContainer.Context()
                .aeronDirectoryName(directory())
                .epochClock(driver.context().epochClock())
                .nanoClock(driver.context().nanoClock())
                .aeron(Aeron.connect(clientContext().subscriberErrorHandler(RethrowingErrorHandler.INSTANCE)))
                .ownsAeronClient(true)
                .clusterDir(folder.cluster())
                .markFileDir(new File(directory()))
                .idleStrategySupplier(() -> new SleepingIdleStrategy(idleNanos * 2 / 3))
                .archiveContext(archiveClientContext())
                .clusteredService(service)
                .appVersion(APP_VERSION)
                .terminationHook(() -> ended = true)
                .errorHandler(errors);
    }

    /**
     * Ends the node's thread, which closes the parts that it drives. If a thread does not end within {@link #CLOSE_NANOS}, the folder stays
     * locked.
     */
    @Override
    public synchronized void close() {
        leaving = true;
        CloseHelper.quietClose(exchange);
        // Closes the container on a separate thread, because that may block for ever.
        Thread closer = new Thread(() -> CloseHelper.quietClose(container), "escapement-cluster-close");
        closer.setDaemon(true);
        closer.start();
        boolean hasEnded = ThreadEnd.await(closer, CLOSE_NANOS / 2); // meanwhile the node's thread still drives Aeron
        closing = true;
        LockSupport.unpark(thread);
        if (thread.getState() == Thread.State.NEW) {
            CloseHelper.quietCloseAll(archive, driver, folder);
        } else {
            hasEnded &= ThreadEnd.await(thread, CLOSE_NANOS / 2);
        }
        if (!hasEnded) {
            log.accept("node " + node.number() + " does not end; " + node.folder()
                    + " cannot be used again before this process has ended");
        }
    }
}
