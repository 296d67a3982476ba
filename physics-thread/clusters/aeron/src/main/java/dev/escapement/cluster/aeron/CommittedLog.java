package dev.escapement.cluster.aeron;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.replay.StateBuffer;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TimeScale;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.cluster.ClusterControl;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

/**
 * Reads the log of the cluster, and turns it into ticks: which come when, and which inputs each gets. All nodes read the same log, so
 * nothing here depends on anything else, except where it says so.
 *
 * <p><b>The cut.</b> A timer of the cluster fires a lead before each tick is due. What the log has before that belongs to the tick; the
 * tick itself runs at the deadline, on the physics thread. If the timer comes after the deadline, time is given up.
 *
 * <p><b>Batches.</b> A client numbers its batches. One that was here before is acknowledged again, and otherwise ignored; one that comes
 * too early is ignored, and the client sends it again. So each is applied once, in order.
 *
 * <p>One thread, that of Aeron's service. It waits when the physics thread is some ticks behind: so time is given up if the leader is too slow.
 */
final class CommittedLog implements ClusteredService {

    /** How many bytes of commands wait for a tick at most. More are refused, on each node. */
    static final int MOST_COMMAND_BYTES = 1 << 22;

    private static final int COMMAND_OVERHEAD_BYTES = 100;
    static final int ACKNOWLEDGEMENT_BYTES = 2 * Long.BYTES;

    /** How many clients are known. One that was silent while so many others were not is taken for a new one. */
    private static final int MOST_CLIENTS = 1 << 14;

    /** Of what the log and saved states mean. */
    static final int VERSION = 3;

    private final CommittedTicks ticks;
    private final NanoClock clock;
    private final LogTime time;

    /** By client, the one first that was silent for longest. */
    private final Map<Long, Long> lastNumbers = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
            return size() > MOST_CLIENTS;
        }
    };

    private final UnsafeBuffer acknowledgement = new UnsafeBuffer(new byte[ACKNOWLEDGEMENT_BYTES]);
    private final LocalDue localDue;
    final StateCheck check;
    private final String sharedByAll;
    private final long saveEveryNanos;
    private final long leadNanos;
    private long sender; // of the batch that is read

    /** Finds out whether a batch can be read, and how large its commands are. */
    private final InputBatch.Visitor measure = new InputBatch.Visitor() {
        @Override
        public void command(CommandData command) {
            batchCommandBytes += command.bytes().length + COMMAND_OVERHEAD_BYTES;
        }
    };

    /** What of a batch is not for the physics thread. */
    private final InputBatch.Visitor rest = new InputBatch.Visitor() {
        @Override
        public void time(InputBatch.Request request) {
            time.request(request);
        }

        @Override
        public void scale(TimeScale requested) {
            time.request(requested);
        }

        @Override
        public void hash(int from, long tickRun, long hash) {
            check.told(from, sender, tickRun, hash);
        }

        @Override
        public void groups(int from, long after, DirectBuffer buffer, int at, int count) {
            check.toldGroups(from, sender, after, buffer, at, count);
        }

        @Override
        public void run(String sharedByAll) {
            if (sharedByCluster.isEmpty()) {
                requireSame(sharedByAll);
            }
        }
    };

    /** Set by {@link #onStart}, before all other calls. Null for good if the log is one that was stored. */
    private @Nullable Cluster cluster;

    /** What all nodes have in common, as the first of them has told. Empty as long as none has. */
    private String sharedByCluster = "";

    private boolean reschedules;
    private long batchCommandBytes;
    private long commandBytes;

    /** When the state was saved last, in the time of the log, and after which tick. */
    private long savedNanos;

    private long savedTick;

    /** The last tick that was cut ahead for that. */
    private long cutAhead;

    CommittedLog(
            CommittedTicks ticks,
            ClusterNode node,
            long client,
            ClusterTime clusterTime,
            NanoClock clock,
            long saveEveryNanos) {
        this.saveEveryNanos = saveEveryNanos;
        leadNanos = node.leadNanos();
        this.ticks = ticks;
        this.clock = clock;
        sharedByAll = node.sharedByAll();
        time = new LogTime(node.rate(), node.leadNanos());
        check = new StateCheck(node, client, ticks);
        localDue = new LocalDue(clusterTime.aheadNanos(), node.leadNanos());
    }

    private void requireSame(String first) {
        sharedByCluster = first;
        if (!sharedByAll.equals(first)) {
            throw new IllegalStateException(
                    "this node runs " + sharedByAll + ", but the cluster " + first + "; start all nodes with the same");
        }
    }

    /** Client's thread. */
    void tellHashes(InputBatch batch) {
        check.tell(batch);
    }

    private Cluster cluster() {
        return Objects.requireNonNull(cluster);
    }

    @Override
    public void onStart(Cluster started, @Nullable Image snapshot) {
        cluster = started;
        if (snapshot != null) {
            follow(() -> restore(new StateBuffer(ClusterSnapshot.read(snapshot, started))));
        }
    }

    /** What cannot be followed here ends this node, and is no cause to go on with half of it. */
    private void follow(Runnable entry) {
        try {
            entry.run();
        } catch (AgentTerminationException ending) {
            throw ending;
        } catch (Throwable e) {
            ticks.fail(e);
            throw e;
        }
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
        time.newTerm(timestamp);
        reschedules = time.isRunning(); // not here: Aeron takes no timers during such an event
    }

    private void reschedule() {
        if (reschedules) {
            schedule();
        }
    }

    @Override
    public void onSessionOpen(@Nullable ClientSession session, long timestamp) {
        follow(() -> {
            time.moveTo(timestamp);
            reschedule();
            if (time.start()) { // not before: the cluster has no time yet
                schedule();
            }
        });
    }

    @Override
    public void onSessionClose(ClientSession session, long timestamp, CloseReason reason) {}

    @Override
    public void onSessionMessage(
            @Nullable ClientSession from, long timestamp, DirectBuffer buffer, int offset, int length, Header header) {
        batchCommandBytes = 0;
        try {
            InputBatch.read(buffer, offset, length, measure);
        } catch (IllegalArgumentException notOurs) {
            return; // on each node; it is never acknowledged
        }
        follow(() -> {
            time.moveTo(timestamp);
            reschedule();
            sender = InputBatch.client(buffer, offset);
            long number = InputBatch.number(buffer, offset);
            long last = lastNumbers.getOrDefault(sender, 0L);
            if (number == last + 1) {
                lastNumbers.put(sender, number);
                apply(buffer, offset, length);
            }
            if (number <= last + 1) {
                acknowledge(from, sender, number);
            }
        });
    }

    private void apply(DirectBuffer buffer, int offset, int length) {
        boolean refused = commandBytes + batchCommandBytes > MOST_COMMAND_BYTES;
        commandBytes += refused ? 0 : batchCommandBytes;
        while (!ticks.ring.offerBatch(time.nowNanos(), time.standsStill(), refused, buffer, offset, length)) {
            idle();
        }
        InputBatch.read(buffer, offset, length, rest);
        if (time.goOn()) {
            schedule();
        } else if (time.standsStill()) {
            saveIfTime();
        }
    }

    /** Only what the leader offers is sent. If it cannot be, the client sends its batch again. */
    private void acknowledge(@Nullable ClientSession to, long client, long number) {
        acknowledgement.putLong(0, client);
        acknowledgement.putLong(Long.BYTES, number);
        if (to != null) {
            to.offer(acknowledgement, 0, ACKNOWLEDGEMENT_BYTES);
        }
    }

    @Override
    public void onTimerEvent(long correlationId, long timestamp) {
        follow(() -> {
            time.moveTo(timestamp);
            if (correlationId > time.tick() + 1) {
                throw new IllegalStateException(
                        "tick " + correlationId + " is cut, but this node knows none after tick " + time.tick());
            }
            if (correlationId == time.tick() + 1 && time.isRunning()) { // otherwise of a tick that was cut already
                cut();
                saveIfTime();
                schedule();
            }
        });
    }

    private void cut() {
        if (time.tick() == cutAhead) {
            ticks.ring.forgetSaved(); // no snapshot came
        }
        long arrivedNanos = clock.nanoTime();
        time.cut();
        commandBytes = 0;
        long localNanos = localDue.of(time.timestamp(time.dueNanos()), time.timestamp(), arrivedNanos);
        while (!ticks.ring.offerTick(
                time.tick(), time.fromNanos(), time.dueNanos(), localNanos, time.scale(), time.standsStill())) {
            idle();
        }
        check.compareOwn();
    }

    private void schedule() {
        reschedules = false;
        while (cluster != null && time.isRunning() && !cluster.scheduleTimer(time.tick() + 1, time.cutTimestamp())) {
            idle();
        }
    }

    /** Throws if the node ends. */
    private void idle() {
        if (ticks.hasEnded()) {
            throw new AgentTerminationException();
        }
        cluster().idleStrategy().idle();
    }

    /**
     * Aeron lets no cuts through while it takes a snapshot. So before the leader asks for one, all nodes cut so many ticks that they need no
     * other meanwhile. The physics threads save their states before those.
     */
    private void saveIfTime() {
        if (time.nowNanos() - savedNanos >= saveEveryNanos && ticks.savesStates()) {
            beginSave();
            if (ticks.isLeader()) {
                AtomicCounter toggle = ClusterControl.findControlToggle(
                        cluster().aeron().countersReader(), cluster().context().clusterId());
                if (toggle != null) {
                    ClusterControl.ToggleState.SNAPSHOT.toggle(toggle);
                }
            }
        }
    }

    private void beginSave() {
        savedNanos = time.nowNanos();
        savedTick = time.tick();
        cutAhead = -1;
        while (!ticks.ring.offerSave()) {
            idle();
        }
        long untilTimestamp = time.timestamp() + leadNanos + ClusterNode.CUT_AHEAD_NANOS;
        while (time.isRunning() && time.cutTimestamp() < untilTimestamp) {
            cut();
        }
        cutAhead = time.tick();
    }

    @Override
    public void onTakeSnapshot(ExclusivePublication snapshot) {
        if (!ticks.savesStates()) {
            throw new UnsupportedOperationException("the simulation is not Restorable, so no state of it is saved");
        }
        follow(() -> {
            saveNow();
            while (!ticks.ring.isSaved()) {
                idle();
            }
            StateBuffer state = new StateBuffer();
            finishSave(state);
            ClusterSnapshot.write(state.toBytes(), snapshot, cluster());
        });
    }

    /** If somebody else has asked for a snapshot, or it comes late. */
    void saveNow() {
        if (!ticks.ring.hasState()) {
            beginSave();
            schedule();
        }
    }

    /** The state of all that comes from the log, as it is now. Once {@link TickRing#isSaved}. */
    void finishSave(StateBuffer to) {
        to.put(sharedByCluster.getBytes(StandardCharsets.UTF_8));
        time.save(to);
        to.put(savedNanos).put(savedTick).put(commandBytes).put((long) lastNumbers.size());
        lastNumbers.forEach((from, number) -> to.put(from).put(number));
        ticks.ring.takeSaved(to);
        ticks.ring.forgetSaved();
    }

    void restore(StateBuffer from) {
        String shared = new String(from.getBytes(), StandardCharsets.UTF_8);
        if (!shared.isEmpty()) {
            requireSame(shared);
        }
        time.restore(from);
        savedNanos = from.getLong();
        savedTick = from.getLong();
        commandBytes = from.getLong();
        for (long left = from.getLong(); left > 0; left--) {
            lastNumbers.put(from.getLong(), from.getLong());
        }
        check.beginAfter(savedTick);
        long arrivedNanos = clock.nanoTime();
        ticks.ring.restore(from, dueNanos -> localDue.of(time.timestamp(dueNanos), time.timestamp(), arrivedNanos));
        reschedules = true; // not here: Aeron takes no timers during such an event
    }

    @Override
    public void onRoleChange(Cluster.Role newRole) {
        ticks.leads(newRole == Cluster.Role.LEADER);
    }

    @Override
    public void onTerminate(Cluster ended) {}
}
