package dev.escapement.cluster.aeron;

import dev.escapement.physics.replay.StateBuffer;
import dev.escapement.state.time.NanoClock;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.cluster.ClusterControl;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

/**
 * Reads the log of the cluster, and turns it into ticks: which come when, and which inputs each gets. All nodes read the same log, so
 * nothing here depends on anything else, except where it says so.
 *
 * <p><b>The cut.</b> A timer of the cluster fires a lead before each tick is due. What the log has before that belongs to the tick; the
 * tick itself runs at the deadline, on the physics thread. If the timer comes after the deadline, time is skipped.
 *
 * <p><b>Batches.</b> A client numbers its batches. One that was here before is answered again as it was, and otherwise ignored; one that comes
 * too early is ignored, and the client sends it again. So each is applied once, in order.
 *
 * <p>One thread, that of Aeron's service. It waits when the physics thread is some ticks behind: so time is skipped if the leader is too slow.
 */
final class CommittedLog implements ClusteredService {

    /** Of what the log and saved states mean. */
    static final int VERSION = 7;

    private final CommittedTicks ticks;
    private final NanoClock clock;
    private final LogTime time;

    private final ReceivedBatches batches;
    final LocalDue localDue;
    private final long aheadNanos;
    private final StateCheck check;
    private final ClusterNode node;
    private final long saveEveryNanos;
    private final long leadNanos;

    /** Set by {@link #onStart}, before all other calls. */
    private @Nullable Cluster cluster;

    /** What all nodes have in common, as the first of them has told. Empty as long as none has. */
    private String sharedByCluster = "";

    private boolean reschedules;

    // Volatile: any thread sees it soon; nothing else is ordered by it.
    private volatile long leasedUntilNanos;

    // As that.
    private volatile long committedTick;

    /** When the state was saved last, in the time of the log, and after which tick. */
    private long savedNanos;

    private long savedTick;

    /** The last tick that was cut ahead for that. */
    private long cutAhead;

    CommittedLog(
            CommittedTicks ticks,
            ClusterNode node,
            long client,
            Consumer<TickHashes> report,
            ClusterTime clusterTime,
            NanoClock clock,
            long saveEveryNanos) {
        this.saveEveryNanos = saveEveryNanos;
        leadNanos = node.leadNanos();
        this.ticks = ticks;
        this.clock = clock;
        this.node = node;
        batches = new ReceivedBatches(type -> ticks.handlers().handles(type));
        time = new LogTime(node.rate(), node.leadNanos());
        check = new StateCheck(node, client, ticks, report);
        aheadNanos = clusterTime.aheadNanos();
        localDue = new LocalDue(aheadNanos, node.leadNanos());
    }

    /** What must be the same on all nodes, in words. Any thread, after the replay began. */
    String sharedByAll() {
        return node.sharedByAll(ticks.handlers().types());
    }

    private void requireSame(String first) {
        sharedByCluster = first;
        if (!sharedByAll().equals(first)) {
            throw new IllegalStateException("this node runs " + sharedByAll() + ", but the cluster " + first
                    + "; start all nodes with the same");
        }
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
            renewLease();
        } catch (AgentTerminationException ending) {
            throw ending;
        } catch (Throwable e) {
            ticks.fail(e);
            throw e;
        }
    }

    /** An entry was read: most nodes have it, and if this node leads, it has its time by the clock of this node. The next cut comes when it is due. */
    private void renewLease() {
        long nextTimestamp = Math.max(time.timestamp(), time.isRunning() ? time.cutTimestamp() : Long.MAX_VALUE / 2);
        leasedUntilNanos = nextTimestamp - aheadNanos + node.failover().leaseNanos();
    }

    /** Whether the log goes on, so that a node that leads still does: false if a cut that was due has not come. Any thread. */
    boolean isAdvancing() {
        return leasedUntilNanos - clock.nanoTime() > 0;
    }

    /** The last tick whose input is cut. Any thread. */
    long committedTick() {
        return committedTick;
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
        follow(() -> {
            time.newTerm(timestamp);
            reschedules |= time.isRunning(); // by the clock of the new leader
            reschedule();
        });
    }

    private void reschedule() {
        if (reschedules) {
            schedule();
        }
    }

    @Override
    public void onSessionOpen(ClientSession session, long timestamp) {
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
            ClientSession from, long timestamp, DirectBuffer buffer, int offset, int length, Header header) {
        byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        InputBatch.Received batch;
        try {
            batch = InputBatch.Received.of(bytes);
        } catch (IllegalArgumentException notOurs) {
            return; // on each node; it is never acknowledged
        }
        follow(() -> {
            time.moveTo(timestamp);
            reschedule();
            if (batches.isNext(batch)) {
                apply(!batches.take(batch), batch);
            }
            DirectBuffer answer = batches.answer(batch);
            if (answer != null) { // only what the leader offers is sent; if it is lost, the batch comes again
                from.offer(answer, 0, ReceivedBatches.ANSWER_BYTES);
            }
        });
    }

    private void apply(boolean refused, InputBatch.Received batch) {
        offer(new TickRing.Batch(time.nowNanos(), time.standsStill(), refused, batch));
        for (InputBatch.Entry entry : batch.entries()) { // what is not for the physics thread
            if (entry instanceof InputBatch.Request request) {
                time.request(request);
            } else if (entry instanceof InputBatch.Scale requested) {
                time.request(requested.scale());
            } else if (entry instanceof InputBatch.Hashes reported) {
                check.reported(reported.node(), batch.client(), reported.hashes());
            } else if (entry instanceof InputBatch.Run run && sharedByCluster.isEmpty()) {
                requireSame(run.sharedByAll());
            }
        }
        if (time.resume()) {
            schedule();
        } else if (time.standsStill()) {
            saveIfTime();
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

    private void offer(TickRing.Entry entry) {
        while (!ticks.ring.offer(entry)) {
            idle();
        }
    }

    private void cut() {
        if (time.tick() == cutAhead) {
            ticks.ring.forgetSaved(); // no snapshot came
        }
        long arrivedNanos = clock.nanoTime();
        TickRing.Cut cut = time.cut(dueNanos -> localDue(dueNanos, arrivedNanos));
        committedTick = cut.number();
        batches.cut();
        offer(cut);
        localDue.handedOver(cut.localDueNanos(), clock.nanoTime());
        check.compareOwn();
    }

    private long localDue(long dueNanos, long arrivedNanos) {
        return localDue.of(time.timestamp(dueNanos), time.timestamp(), arrivedNanos);
    }

    private void schedule() {
        reschedules = false;
        while (time.isRunning() && !cluster().scheduleTimer(time.tick() + 1, time.cutTimestamp())) {
            idle();
        }
    }

    /** Throws if the node ends. */
    private void idle() {
        if (ticks.hasEnded()) {
            throw new AgentTerminationException();
        }
        localDue.waited();
        leasedUntilNanos =
                clock.nanoTime() + node.failover().leaseNanos(); // it is this node that keeps the log waiting
        cluster().idleStrategy().idle();
    }

    /**
     * Aeron lets no cuts through while it takes a snapshot. So before the leader asks for one, all nodes cut this many ticks that they need no
     * other meanwhile. The physics threads save their states before those.
     */
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

    private void beginSave() {
        savedNanos = time.nowNanos();
        savedTick = time.tick();
        cutAhead = -1;
        offer(new TickRing.Save(new AtomicReference<>()));
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
        to.put(savedNanos).put(savedTick);
        batches.save(to);
        ticks.ring.takeSaved(to);
    }

    void restore(StateBuffer from) {
        String shared = new String(from.getBytes(), StandardCharsets.UTF_8);
        if (!shared.isEmpty()) {
            requireSame(shared);
        }
        time.restore(from);
        committedTick = time.tick();
        savedNanos = from.getLong();
        savedTick = from.getLong();
        batches.restore(from);
        ticks.beginAfter(savedTick);
        long arrivedNanos = clock.nanoTime();
        ticks.ring.restore(from, dueNanos -> localDue(dueNanos, arrivedNanos));
        reschedules = true; // not here: Aeron takes no timers during such an event
    }

    @Override
    public void onRoleChange(Cluster.Role newRole) {}

    @Override
    public void onTerminate(Cluster ended) {}
}
