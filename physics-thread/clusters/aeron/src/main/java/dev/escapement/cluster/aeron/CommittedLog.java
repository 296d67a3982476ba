package dev.escapement.cluster.aeron;

import dev.escapement.physics.restore.RestoreRefusedException;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.time.NanoClock;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.cluster.ClusterControl;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

/**
 * Reads the log of the cluster, and converts it to ticks with due times and inputs. All nodes read the same log. Unless a comment says
 * otherwise, the result depends on nothing else.
 *
 * <p><b>The cut of a tick</b> is the place in the log where the tick's input ends. A timer of the cluster fires before each tick is due,
 * earlier by the {@linkplain ClusterNode#leadNanos lead}. The timer's entry in the log is the cut. Input before the cut belongs to the
 * tick. The tick itself runs when it is due, on the physics thread. If the timer comes after the due time, time is skipped. All timers of
 * one lead are set at once, at any scale of time. So the next timers fire while a distant majority has yet to commit the first one, and
 * distance does not slow time down. When time changes, all timers are set anew; an old timer that fires too early has no effect.
 *
 * <p><b>Batches.</b> A client numbers its batches, and sends each until it is acknowledged. {@link LogClients} decides which batch is the
 * next one, and which clients are senders of input. So each batch is applied once, in order. The joins and leaves of senders are input of
 * the next tick, in the order of the log.
 *
 * <p>Only Aeron's service thread uses it. That thread waits while the physics thread is behind. So if the leader's physics thread is too
 * slow, time is skipped.
 */
final class CommittedLog implements ClusteredService {

    private static final System.Logger LOG = System.getLogger("dev.escapement.cluster");
    private static final int MESSAGE_BYTES = 1 << 14;
    private static final int FRAGMENTS = 16;
    private static final String DAMAGED =
            "; the folder of the node is damaged: empty it, and the node copies the state of the leader";

    private final CommittedTicks ticks;
    private final NanoClock clock;
    final LogTime time;
    private final LogClients clients;
    final LocalDue localDue;
    private final long ownAheadNanos;
    private final StateCheck check;
    private final Consumer<UUID> keepWorld;
    private final ClusterNode node;
    private final long saveEveryNanos;

    /** The cluster; set by {@link #onStart} before all other calls. */
    private @Nullable Cluster cluster;

    /** The settings that all nodes share, as the first committed entry names them. Empty until this node has read that entry. */
    private String sharedByCluster = "";

    private UUID world = new UUID(0, 0);

    /** Whether this node leads the current term of the log, so that the time stamps of entries come from this node's clock. */
    private boolean wroteTerm;

    private final CutTimers timers;
    private LeaderPace pace;

    /** Whether a warning about ignored messages of a client was logged. */
    private boolean saidNotOurs;

    // Volatile: any thread sees the lease soon; nothing else is ordered by it.
    private volatile long leasedUntilNanos;

    // Volatile: any thread sees it soon; nothing else is ordered by it.
    private volatile long stateBytesRead;

    /** The time of the log at the last save. At first 0, so that a node saves a first state with the first tick. */
    private long savedNanos;

    private long savedTick;

    CommittedLog(
            CommittedTicks ticks,
            ClusterNode node,
            long clientId,
            Consumer<TickHashes> report,
            Consumer<UUID> keepWorld,
            ClusterTime clusterTime,
            long saveEveryNanos) {
        this.saveEveryNanos = saveEveryNanos;
        this.ticks = ticks;
        this.keepWorld = keepWorld;
        clock = clusterTime.clock();
        this.node = node;
        clients = new LogClients(type -> ticks.handlers().handles(type));
        time = new LogTime(node.rate(), node.leadNanos());
        check = new StateCheck(node, clientId, ticks, report);
        timers = new CutTimers(time, node.leadNanos(), this::schedule);
        ownAheadNanos = clusterTime.aheadNanos();
        localDue = new LocalDue(ownAheadNanos, node.leadNanos());
        pace = new LeaderPace(node, time, clock.nanoTime());
    }

    /**
     * Describes the settings that must be the same on all nodes, for as long as their folders exist. The interval of saves is one of them,
     * because before each save the input of some ticks ends early. Any thread may call it after {@link CommittedTicks#open}.
     */
    String sharedByAll() {
        return node.sharedByAll(ticks.handlers().types())
                + (ticks.savesStates() ? ", states saved every " + saveEveryNanos + " ns" : ", no states saved");
    }

    /**
     * Adopts the world and the settings that the log names. Stores the world before it checks the settings, so that the folder of a node
     * with other settings, which is refused, names the world, too.
     */
    private void adoptWorld(String first, UUID named) {
        world = named;
        keepWorld.accept(named);
        sharedByCluster = first;
        if (!sharedByAll().equals(first)) {
            throw new IllegalStateException("this node runs " + sharedByAll() + ", but the cluster " + first
                    + "; start all nodes with the same, and delete a log of another run or version in "
                    + node.folder());
        }
    }

    private Cluster cluster() {
        return Objects.requireNonNull(cluster);
    }

    @Override
    public void onStart(Cluster started, @Nullable Image snapshot) {
        cluster = started;
        if (snapshot != null) {
            endOnFailure(() -> restore(readState(snapshot, started.idleStrategy())));
        }
    }

    /** Applies an entry of the log. If that throws, the node ends, because it may have applied a part of the entry. */
    private void endOnFailure(Runnable entry) {
        try {
            entry.run();
            renewLease();
        } catch (AgentTerminationException ending) {
            throw ending;
        } catch (Throwable e) {
            ticks.fail(e);
            throw e;
        }
    }

    /**
     * Moves the time of the log to the time stamp of an entry, and applies the entry. Renews the lease before that: {@link #idle}, which
     * the entry may call, sees from the lease whether the entry is new or replayed.
     */
    private void follow(long timestamp, Runnable entry) {
        endOnFailure(() -> {
            time.moveTo(timestamp);
            renewLease();
            timers.setIfStale();
            entry.run();
        });
    }

    /**
     * Renews the lease before and after each committed entry. A leader loses its lease if the cut of the next tick is overdue for too long.
     * A leader counts exactly by its own clock: with the correction of {@link LocalDue} its lease could outlast the election of another
     * leader.
     */
    private void renewLease() {
        long nextTimestamp =
                Math.max(time.timestamp(), time.isRunning() ? time.cutTimestamp(time.tick() + 1) : Long.MAX_VALUE / 2);
        long nextNanos = wroteTerm ? nextTimestamp - ownAheadNanos : localDue.local(nextTimestamp);
        leasedUntilNanos = nextNanos + node.failover().leaseNanos();
    }

    /** Whether the log advances, so that a leader still leads. False if the cut of the next tick is overdue. Any thread may call it. */
    boolean isAdvancing() {
        return leasedUntilNanos - clock.nanoTime() > 0;
    }

    /** Returns the bytes read of the saved state from which this node begins. Any thread may call it. */
    long stateBytesRead() {
        return stateBytesRead;
    }

    @Override
    public void onNewLeadershipTermEvent(
            long term,
            long position,
            long timestamp,
            long basePosition,
            int leader,
            int logSession,
            TimeUnit unit,
            int version) {
        endOnFailure(() -> {
            wroteTerm = leader == node.number();
            time.newTerm(timestamp);
            pace = new LeaderPace(node, time, clock.nanoTime());
            timers.makeStale(); // the timers count by the clock of the previous leader
            timers.setIfStale();
        });
    }

    private void schedule(long tick, long timestamp) {
        while (!cluster().scheduleTimer(tick, timestamp)) {
            idle();
        }
    }

    @Override
    public void onSessionOpen(ClientSession session, long timestamp) {
        follow(timestamp, () -> {
            if (time.start()) { // the first client's session starts time
                timers.setMissing();
            }
        });
    }

    @Override
    public void onSessionClose(ClientSession session, long timestamp, CloseReason reason) {
        follow(timestamp, () -> {});
    }

    @Override
    public void onSessionMessage(
            ClientSession from, long timestamp, DirectBuffer buffer, int offset, int length, Header header) {
        byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        Batch batch;
        try {
            batch = Batch.of(bytes);
        } catch (IllegalArgumentException notOurs) {
            if (!saidNotOurs) {
                saidNotOurs = true;
                LOG.log(
                        System.Logger.Level.WARNING,
                        "A client of the cluster is ignored: " + notOurs.getMessage()
                                + "; give it the version of Escapement that the nodes have. Others are ignored silently");
            }
            return; // like all nodes, ignores the message and does not acknowledge it
        }
        follow(timestamp, () -> {
            if (clients.isNext(batch)) {
                apply(clients.take(batch, time.nowNanos()), batch);
            }
            DirectBuffer acknowledgement = clients.acknowledge(batch);
            if (acknowledgement != null) { // Aeron sends only the leader's; if it is lost, the client repeats the batch
                from.offer(acknowledgement, 0, Batch.Acknowledgement.BYTES);
            }
        });
    }

    private void apply(boolean hasRoom, Batch batch) {
        int sender = clients.sender(batch.clientId());
        offer(new TickRing.Inputs(time.nowNanos(), time.standsStill(), hasRoom, sender, batch));
        for (Batch.Entry entry : batch.entries()) { // handles the entries that are not for the physics thread
            if (entry instanceof Batch.Request request) {
                time.request(request);
            } else if (entry instanceof Batch.Scale requested) {
                time.request(requested.scale());
            } else if (entry instanceof Batch.Hashes reported) {
                check.reported(reported.node(), batch.clientId(), reported.hashes());
            } else if (entry instanceof Batch.World first && sharedByCluster.isEmpty()) {
                adoptWorld(first.sharedByAll(), first.id());
            }
        }
        if (time.resume()) {
            timers.setMissing();
        } else if (time.standsStill()) {
            saveIfTime();
        }
    }

    @Override
    public void onTimerEvent(long correlationId, long timestamp) {
        follow(timestamp, () -> {
            if (correlationId > time.tick() + CutTimers.MAX_TIMERS) {
                throw new IllegalStateException(
                        "tick " + correlationId + " is cut, but this node knows none after tick " + time.tick());
            }
            if (correlationId > time.tick()) { // else the tick's input has ended already
                if (!time.isCutDue()) { // this timer fired too early, and does not fire again
                    timers.makeStale();
                }
                while (time.isCutDue()) {
                    cut();
                }
                saveIfTime();
                timers.setMissing();
            }
        });
    }

    private void offer(TickRing.RingEntry entry) {
        while (!ticks.ring.offer(entry)) {
            idle();
        }
    }

    private void cut() {
        long arrivedNanos = clock.nanoTime();
        TickRing.Cut cut = time.cut(dueNanos -> toLocal(dueNanos, arrivedNanos));
        clients.cut();
        clients.leave(time.nowNanos()).forEach(this::offer);
        offer(cut);
        localDue.handedOver(cut.localDueNanos(), clock.nanoTime());
        check.compareOwn();
        // A node that replays a term that it once led does not advance.
        String slow = wroteTerm && isAdvancing() ? pace.cut(arrivedNanos - time.timestamp() + ownAheadNanos) : null;
        if (slow != null) {
            LOG.log(System.Logger.Level.WARNING, "Cluster, node " + node.number() + ": " + slow);
        }
    }

    @Override
    public int doBackgroundWork(long steadyNanos) {
        pace.passed(clock.nanoTime(), false); // the steady clock stops while the process does
        return 0;
    }

    private long toLocal(long dueNanos, long arrivedNanos) {
        return localDue.arrived(time.timestamp(dueNanos), time.timestamp(), arrivedNanos);
    }

    /** Waits once, for the physics thread or for the cluster. Throws if the node ends. */
    private void idle() {
        if (ticks.hasEnded()) {
            throw new AgentTerminationException();
        }
        localDue.waited();
        // Extends the lease, because this node delays the log, not the cluster. In a replay the lease has expired, and
        // stays so.
        if (isAdvancing()) {
            leasedUntilNanos = clock.nanoTime() + node.failover().leaseNanos();
        }
        cluster().idleStrategy().idle();
        pace.passed(clock.nanoTime(), true);
    }

    /** Begins to save if the last save is long enough ago; the leader also requests Aeron's snapshot. */
    private void saveIfTime() {
        if (time.nowNanos() - savedNanos >= saveEveryNanos && ticks.savesStates()) {
            beginSave();
            if (cluster().role() == Cluster.Role.LEADER) {
                AtomicCounter toggle = ClusterControl.findControlToggle(
                        cluster().aeron().countersReader(), cluster().context().clusterId());
                if (toggle != null) {
                    ClusterControl.ToggleState.SNAPSHOT.toggle(toggle);
                }
            }
        }
    }

    /**
     * Begins to save the state. Aeron delivers no timers while it takes a snapshot. So the ticks that are due during the snapshot get their
     * place in the log before it:
     *
     * <ol>
     *   <li>At the same entry of the log, all nodes offer a {@link TickRing.Save} to the ring, and after it these ticks. The leader
     *       requests the snapshot.
     *   <li>The ring keeps the entries after the save. If they become too many, the ring forgets the save, and step 4 begins another one.
     *   <li>The physics thread saves the state of the simulation when it takes the save, before it takes the ticks of step 1.
     *   <li>Aeron requests the snapshot of each node: the state of the log, the saved state, and the entries since. A node that starts from
     *       the snapshot runs these entries again.
     * </ol>
     */
    private void beginSave() {
        savedNanos = time.nowNanos();
        savedTick = time.tick();
        offer(new TickRing.Save(new AtomicReference<>()));
        long untilTimestamp = time.timestamp() + node.leadNanos() + ClusterNode.CUT_AHEAD_NANOS;
        while (time.isRunning() && time.cutTimestamp(time.tick() + 1) < untilTimestamp) {
            cut();
        }
    }

    @Override
    public void onTakeSnapshot(ExclusivePublication snapshot) {
        endOnFailure(() -> {
            beginSaveIfNotBegun();
            while (!ticks.ring.isSaved()) {
                idle();
            }
            StateBuffer state = new StateBuffer();
            finishSave(state);
            writeState(state.toBytes(), snapshot, cluster().idleStrategy());
        });
    }

    /**
     * Begins to save unless a save has begun. No save has begun if a tool of Aeron requested the snapshot, or if the snapshot comes so late
     * that the ring has forgotten the save.
     */
    void beginSaveIfNotBegun() {
        if (!ticks.ring.isSaving()) {
            beginSave();
            timers.setMissing();
        }
    }

    /**
     * Appends the snapshot of this node. Call it when {@link TickRing#isSaved} is true. Values are longs, unless the format names another
     * type:
     *
     * <pre>
     *   log       position | description that all nodes share, bytes | world, 2
     *   time      has begun, boolean | now | shift | last tick | scale, 2 | requested scale, 2 | ticks until a requested pause, -1 for none
     *             if it has begun: tick and nanoseconds from which it counts, 2 | stands still, boolean
     *   save      when this save was begun | last tick before it
     *   clients   bytes of waiting commands | last number of a sender | count
     *             each: client | last batch | batches without room, bits | number as a sender | when it leaves
     *   state     of the physics thread before the entries below, bytes:
     *             input       next sequence | last sender that has joined | each level: true, boolean | event | then false, boolean
     *                         events, count | each: time | event      last event of each sender, count | each: sender | time
     *                         commands, count | each: a batch, bytes
     *             event       sender | kind | code | x, double | y, double
     *             simulation  until the end of the state
     *   entries   until the end, each one of
     *             0, a cut     tick | from | due | scale, 2 | time stands still after it, boolean
     *             1, a batch   now | time stands still, boolean | has room, boolean | sender | bytes
     *             2, has left  when | sender
     * </pre>
     */
    void finishSave(StateBuffer to) {
        to.put(cluster().logPosition());
        to.put(sharedByCluster.getBytes(StandardCharsets.UTF_8));
        to.put(world.getMostSignificantBits()).put(world.getLeastSignificantBits());
        time.save(to);
        to.put(savedNanos).put(savedTick);
        clients.save(to);
        ticks.ring.takeSaved(to);
    }

    void restore(StateBuffer from) {
        long position = from.getLong();
        if (position != cluster().logPosition()) {
            throw new IllegalStateException("the state that was saved at position " + position
                    + " of the log is noted for position " + cluster().logPosition() + DAMAGED);
        }
        String shared = new String(from.getBytes(), StandardCharsets.UTF_8);
        UUID saved = new UUID(from.getLong(), from.getLong());
        if (!shared.isEmpty()) {
            adoptWorld(shared, saved);
        }
        time.restore(from);
        savedNanos = from.getLong();
        savedTick = from.getLong();
        clients.restore(from);
        ticks.beginAfter(savedTick);
        long arrivedNanos = clock.nanoTime();
        ticks.ring.restore(from, dueNanos -> toLocal(dueNanos, arrivedNanos));
        timers.makeStale(); // the next entry sets them: Aeron accepts no timers while a node starts
    }

    /** Writes a state to a recording of Aeron, in several messages. */
    static void writeState(byte[] state, ExclusivePublication to, IdleStrategy idle) {
        UnsafeBuffer bytes = new UnsafeBuffer(state);
        for (int at = 0; at < state.length; at += MESSAGE_BYTES) {
            long result;
            while ((result = to.offer(bytes, at, Math.min(MESSAGE_BYTES, state.length - at))) < 0) {
                if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED) {
                    throw new IllegalStateException("a snapshot cannot be written: " + Publication.errorString(result));
                }
                idle.idle();
            }
        }
    }

    /**
     * Reads the state from which the cluster continues with its log.
     *
     * @throws IllegalStateException if it is incomplete or damaged
     */
    private StateBuffer readState(Image from, IdleStrategy idle) {
        ByteArrayOutputStream state = new ByteArrayOutputStream();
        FragmentHandler message = new FragmentAssembler((buffer, offset, length, header) -> {
            byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            state.writeBytes(bytes);
        });
        while (!from.isEndOfStream() && !from.isClosed()) {
            int fragments = from.poll(message, FRAGMENTS);
            stateBytesRead = state.size();
            idle.idle(fragments);
        }
        try {
            return new StateBuffer(state.toByteArray()); // checks the checksum of the whole state
        } catch (RestoreRefusedException damaged) {
            throw new IllegalStateException(damaged.getMessage() + DAMAGED, damaged);
        }
    }

    @Override
    public void onRoleChange(Cluster.Role newRole) {}

    @Override
    public void onTerminate(Cluster ended) {}
}
