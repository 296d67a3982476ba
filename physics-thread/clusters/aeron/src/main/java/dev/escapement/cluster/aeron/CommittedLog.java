package dev.escapement.cluster.aeron;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.request.TimeRequests;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.time.Timeline;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the log of the cluster, and turns it into ticks: which come when, and which inputs each gets. All nodes read the same log, so
 * nothing here depends on anything else, except where it says so.
 *
 * <p><b>The cut.</b> A timer of the cluster fires a lead before each tick is due. What the log has before that belongs to the tick; the
 * tick itself runs at the deadline, on the physics thread. If the timer comes late, because the leader was elected just now or is too
 * slow, the time is given up.
 *
 * <p><b>Batches.</b> A client numbers its batches. One that was here before is acknowledged again, and otherwise ignored; one that comes
 * too early is ignored, and the client sends it again. So each is applied once, in order.
 *
 * <p>One thread, that of Aeron's service. It waits when the physics thread is {@value CommittedTicks#MOST_WAITING} ticks behind: so time
 * is given up if the leader's simulation is too slow, instead of ticks that pile up.
 */
final class CommittedLog implements ClusteredService {

    private static final System.Logger LOG = System.getLogger("dev.escapement.cluster");

    /** How many bytes of commands wait for a tick at most. More are refused, on each node. */
    static final int MOST_COMMAND_BYTES = 1 << 22;

    private static final int COMMAND_OVERHEAD_BYTES = 100;
    static final int ACKNOWLEDGEMENT_BYTES = 2 * Long.BYTES;

    private final CommittedTicks ticks;
    private final NanoClock clock;
    private final long leadNanos;
    private final Timeline timeline;
    private final TimeRequests time;
    private final Map<Long, Long> lastNumbers = new HashMap<>();
    private final UnsafeBuffer acknowledgement = new UnsafeBuffer(new byte[ACKNOWLEDGEMENT_BYTES]);
    private final LocalDue localDue;
    private final HashVotes votes;
    private final int node;

    /** Of this process. */
    private final long client;

    /** Of the batch that is read. */
    private long sender;

    // Volatile: the client sees it soon; nothing else is ordered by it.
    private volatile long lastAgreed;

    private long lastChecked;

    /** Finds out whether a batch can be read, and how large its commands are. */
    private final InputBatch.Visitor check = new InputBatch.Visitor() {
        @Override
        public void command(CommandData command) {
            batchCommandBytes += command.bytes().length + COMMAND_OVERHEAD_BYTES;
        }
    };

    /** What of a batch is not for the physics thread. */
    private final InputBatch.Visitor rest = new InputBatch.Visitor() {
        @Override
        public void time(InputBatch.Request request) {
            switch (request) {
                case PAUSE -> time.pause();
                case RESUME -> time.resume();
                case STEP -> time.step();
            }
        }

        @Override
        public void hash(int from, long tickRun, long hash) {
            votes.add(from, sender, tickRun, hash);
        }

        @Override
        public void scale(TimeScale requested) {
            try {
                time.scale(requested);
            } catch (IllegalArgumentException notWithThisRate) {
                // as if it had not been requested, on each node
            }
        }
    };

    /** Set by {@link #onStart}, before all other calls. */
    private @Nullable Cluster cluster;

    private boolean started;
    private boolean reschedules;
    private long tick;
    private long batchCommandBytes;
    private long commandBytes;
    private long lastNanos;

    /** From the clock of the leader to the time of the log. */
    private long shiftNanos;

    private TimeScale scale = TimeScale.ONE;

    CommittedLog(CommittedTicks ticks, ClusterNode node, long client, ClusterTime clusterTime, NanoClock clock) {
        this.ticks = ticks;
        this.client = client;
        this.clock = clock;
        this.node = node.number();
        leadNanos = node.leadNanos();
        timeline = new Timeline(node.rate());
        time = new TimeRequests(node.rate());
        votes = new HashVotes(node.hosts().size(), this::differs);
        localDue = new LocalDue(clusterTime.aheadNanos(), leadNanos);
    }

    private void differs(int which, long after, long hash, long hashOfMost) {
        if (which == node && sender == client) {
            ticks.differs(after, hash, hashOfMost);
        } else if (which != node) { // what an earlier process of this node told is of no use
            LOG.log(
                    System.Logger.Level.ERROR,
                    String.format(
                            Locale.ROOT,
                            "The state of node %d differs after tick %d: its hash is %016x, but that of most nodes %016x;"
                                    + " it ends",
                            which,
                            after,
                            hash,
                            hashOfMost));
        }
    }

    /** The last tick about whose state most nodes have agreed. Any thread. */
    long lastAgreed() {
        return lastAgreed;
    }

    /** A node that catches up does not tell its hashes, for most have agreed before: it compares them itself. */
    private void checkOwn() {
        long until = Math.min(votes.lastAgreed(), ticks.lastRun());
        lastChecked = Math.max(lastChecked, until - HashVotes.TICKS / 2);
        while (lastChecked < until) {
            lastChecked++;
            long hash = ticks.hashAfter(lastChecked);
            if (!votes.agrees(lastChecked, hash)) {
                ticks.differs(lastChecked, hash, votes.agreedHash(lastChecked));
            }
        }
        lastAgreed = votes.lastAgreed();
    }

    private Cluster cluster() {
        return Objects.requireNonNull(cluster);
    }

    @Override
    public void onStart(Cluster started, @Nullable Image snapshot) {
        cluster = started;
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

    /**
     * The time of an entry of the log, which never goes back: a leader's clock may be behind, or ahead, of that of the one before. Time goes on
     * where it was when the new leader began.
     */
    private long time(long timestamp) {
        lastNanos = Math.max(lastNanos, timestamp + shiftNanos);
        return lastNanos;
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
        shiftNanos = lastNanos - timestamp;
        reschedules = started && !timeline.isPaused(); // not here: Aeron takes no timers during such an event
    }

    private void reschedule() {
        if (reschedules) {
            schedule();
        }
    }

    @Override
    public void onSessionOpen(ClientSession session, long timestamp) {
        follow(() -> {
            long nowNanos = time(timestamp);
            reschedule();
            if (!started) { // not before: the cluster has no time yet
                started = true;
                timeline.start(nowNanos + leadNanos);
                schedule();
            }
        });
    }

    @Override
    public void onSessionClose(ClientSession session, long timestamp, CloseReason reason) {}

    @Override
    public void onSessionMessage(
            ClientSession session, long timestamp, DirectBuffer buffer, int offset, int length, Header header) {
        batchCommandBytes = 0;
        try {
            InputBatch.read(buffer, offset, length, check);
        } catch (IllegalArgumentException notOurs) {
            return; // on each node; it is never acknowledged
        }
        follow(() -> {
            long nowNanos = time(timestamp);
            reschedule();
            sender = InputBatch.client(buffer, offset);
            long number = InputBatch.number(buffer, offset);
            long last = lastNumbers.getOrDefault(sender, 0L);
            if (number == last + 1) {
                lastNumbers.put(sender, number);
                apply(nowNanos, buffer, offset, length);
            }
            if (number <= last + 1) {
                acknowledge(session, sender, number);
            }
        });
    }

    private void apply(long nowNanos, DirectBuffer buffer, int offset, int length) {
        boolean refused = commandBytes + batchCommandBytes > MOST_COMMAND_BYTES;
        commandBytes += refused ? 0 : batchCommandBytes;
        while (!ticks.offerBatch(nowNanos, timeline.isPaused(), refused, buffer, offset, length)) {
            idle();
        }
        InputBatch.read(buffer, offset, length, rest);
        if (timeline.isPaused() && time.mayGoOn()) {
            timeline.resume(nowNanos + leadNanos, scale);
            schedule();
        }
    }

    /** Only what the leader offers is sent. If it cannot be, the client sends its batch again. */
    private void acknowledge(ClientSession session, long client, long number) {
        acknowledgement.putLong(0, client);
        acknowledgement.putLong(Long.BYTES, number);
        session.offer(acknowledgement, 0, ACKNOWLEDGEMENT_BYTES);
    }

    @Override
    public void onTimerEvent(long correlationId, long timestamp) {
        follow(() -> {
            long nowNanos = time(timestamp);
            if (correlationId == tick + 1 && !timeline.isPaused()) { // otherwise of a tick that was cut already
                cut(nowNanos, timestamp);
            }
        });
    }

    private void cut(long nowNanos, long timestamp) {
        long arrivedNanos = clock.nanoTime();
        long lateNanos = nowNanos + leadNanos - timeline.dueNanos(tick + 1);
        if (lateNanos > leadNanos / 2) {
            timeline.giveUpUntil(tick, timeline.dueNanos(tick) + lateNanos);
        }
        tick++;
        commandBytes = 0;
        long fromNanos = timeline.goesOnNanos(tick - 1);
        long dueNanos = timeline.dueNanos(tick);
        if (!time.scale().equals(scale)) {
            scale = time.scale();
            timeline.scale(tick, scale);
        }
        boolean standsStill = time.endTick();
        if (standsStill) {
            timeline.pause(tick);
        }
        long localNanos = localDue.of(dueNanos - shiftNanos, timestamp, arrivedNanos);
        while (!ticks.offerTick(tick, fromNanos, dueNanos, localNanos, scale, standsStill)) {
            idle();
        }
        checkOwn();
        if (!standsStill) {
            schedule();
        }
    }

    private void schedule() {
        reschedules = false;
        long timerNanos = timeline.dueNanos(tick + 1) - leadNanos - shiftNanos;
        while (!cluster().scheduleTimer(tick + 1, timerNanos)) {
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

    @Override
    public void onTakeSnapshot(ExclusivePublication snapshot) {
        throw new UnsupportedOperationException("there are no snapshots yet");
    }

    @Override
    public void onRoleChange(Cluster.Role newRole) {
        ticks.leads(newRole == Cluster.Role.LEADER);
    }

    @Override
    public void onTerminate(Cluster ended) {}

    /**
     * When ticks are due by this node's clock. Depends on this node alone.
     *
     * <p>The clocks of machines differ. As long as cuts arrive from a quarter of the lead before the instant that the leader's
     * clock says to half of the lead after it, they differ by less than matters. Where that is not so, the difference is taken from what arrives: at once if a cut comes
     * before its time, and after {@value #CUTS} cuts in a row if all are late, which those of a node that catches up are not: they come
     * faster than ticks.
     */
    private static final class LocalDue {

        private static final int CUTS = 100;
        private final long leadNanos;
        private long aheadNanos;
        private int late;
        private long leastNanos;
        private long firstArrivedNanos;
        private long firstTimestamp;

        LocalDue(long aheadNanos, long leadNanos) {
            this.aheadNanos = aheadNanos;
            this.leadNanos = leadNanos;
        }

        long of(long dueNanos, long timestamp, long arrivedNanos) {
            long underWayNanos = arrivedNanos - (timestamp - aheadNanos);
            if (underWayNanos < -leadNanos / 4) {
                aheadNanos -= underWayNanos;
            }
            if (underWayNanos <= leadNanos / 2) {
                late = 0;
            } else {
                noteLate(underWayNanos, timestamp, arrivedNanos);
            }
            return dueNanos - aheadNanos;
        }

        private void noteLate(long underWayNanos, long timestamp, long arrivedNanos) {
            if (late == 0) {
                firstArrivedNanos = arrivedNanos;
                firstTimestamp = timestamp;
                leastNanos = underWayNanos;
            }
            late++;
            leastNanos = Math.min(leastNanos, underWayNanos);
            if (late == CUTS) {
                late = 0;
                if (arrivedNanos - firstArrivedNanos > (timestamp - firstTimestamp) / 2) {
                    aheadNanos -= leastNanos;
                }
            }
        }
    }
}
