package dev.escapement.cluster.aeron;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.logbuffer.Header;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Models Aeron Cluster on virtual time: all nodes read one log, some later than others. The last entries before the death of a leader may
 * be lost, and so may messages of clients and acknowledgements. The clocks of the nodes differ. A seed determines all of this.
 */
@NullMarked
final class ModelCluster {

    static final RunDescription RUN = new RunDescription("masses", "1", "", 7, TickRate.hertz(100));

    static final long STEP_NANOS = 1_000_000;
    private static final long EPOCH_NANOS = 1_000_000_000_000L;
    private static final int ELECTION_STEPS = 300;

    private static final int SLOW_STEPS = 20; // two ticks
    private static final int MAX_APART_STEPS = 60_000; // the largest difference of two machines' clocks
    private static final long SAVE_EVERY_NANOS = 1_000_000_000;
    private static final double DOUBLED = 0.02;
    private static final int MAX_ENTRIES = 30; // entries that a node reads in a step

    /** A node reads no entry while this number of bytes of batches waits in the ring, so that the ring has room for the next entry. */
    private static final int MAX_BYTES = TickRing.MAX_BYTES / 2;

    private static final Header NO_HEADER = new Header(0, 0);

    private interface Effect {
        void on(Node node, long timestamp);
    }

    private record Entry(long atStep, long timestamp, Effect effect) {}

    /** A saved state, its position in the log, and Aeron's timers, which a snapshot of Aeron includes. */
    private record Saved(int applied, SortedMap<Long, Long> timers, StateBuffer state) {}

    /** One process of a node, with everything that is lost when it dies. */
    final class Node {
        final RememberingWorld world = new RememberingWorld();
        final CommittedTicks ticks;
        final CommittedLog log;
        final List<UUID> named = new ArrayList<>();
        final InlineDriver driver;
        final ClusterTime time;

        /** The due time stamp of each timer, by correlation id. */
        private final SortedMap<Long, Long> timers = new TreeMap<>();

        private int applied;
        private final int number;
        private boolean saving;

        Node(int number, long client, PendingAnswers answers) {
            ClusterNode node = new ClusterNode(
                    number,
                    Collections.nCopies(nodes.length, "localhost"),
                    ClusterNode.FIRST_PORT,
                    Path.of("none"),
                    RUN,
                    leadNanos,
                    failover);
            ticks = new CommittedTicks(node, client, answers);
            driver = PhysicsService.builder(world).follow(ticks).inline(clock);
            time = new ClusterTime(clock, EPOCH_NANOS + STEP_NANOS * number(MAX_APART_STEPS));
            log = new CommittedLog(ticks, node, client, reported -> {}, named::add, time, SAVE_EVERY_NANOS);
            log.onStart(only(Cluster.class, this::answer), null);
            this.number = number;
            Saved kept = saved[number];
            if (kept != null) {
                applied = kept.applied;
                timers.putAll(kept.timers);
                log.restore(new StateBuffer(kept.state.toBytes()));
                restored++;
            }
        }

        private boolean mayApply() {
            return ticks.ring.waiting() < maxWaiting && ticks.ring.waitingBytes() < MAX_BYTES && !isSaving();
        }

        /**
         * Finishes a requested save once the ring has the state. Returns true until then, and the node applies no entry while this is true.
         */
        private boolean isSaving() {
            if (saving && ticks.ring.isSaved()) {
                StateBuffer state = new StateBuffer();
                log.finishSave(state);
                saved[number] = new Saved(applied, new TreeMap<>(timers), state);
                saving = false;
            }
            return saving;
        }

        private void apply(int max) {
            for (int i = 0; i < max && applied < committed() && mayApply(); i++) {
                Entry entry = entries.get(applied++);
                entry.effect.on(this, entry.timestamp);
            }
        }

        /** Answers the calls of {@link CommittedLog} to the cluster. The log never waits, because there is room for all entries. */
        private Object answer(Method asked, Object[] arguments) {
            if (asked.getName().equals("role")) {
                return Cluster.Role.FOLLOWER; // so that the node requests no snapshot, because the model does
            }
            if (asked.getName().equals("logPosition")) {
                return (long) applied;
            }
            if (!asked.getName().equals("scheduleTimer")) {
                throw new AssertionError(asked);
            }
            timers.put((Long) arguments[0], (Long) arguments[1]);
            return true;
        }
    }

    /** A client's connection to the leader, which opens one session after the other. */
    final class ModelLink implements ClusterSender.Link {
        private @Nullable ModelSession session;

        @Override
        public boolean connect(ClusterSender client) {
            if (leader >= 0) {
                ModelSession opened = new ModelSession(client);
                append((node, timestamp) -> node.log.onSessionOpen(opened.session, timestamp));
                session = opened;
            }
            return leader >= 0;
        }

        @Override
        public boolean isOpen() {
            return session != null && !session.isClosed();
        }

        private ModelSession session() {
            return Objects.requireNonNull(session);
        }

        @Override
        public void poll() {
            session().poll();
        }

        @Override
        public boolean offer(DirectBuffer batch) {
            if (leader < 0) {
                return false;
            }
            for (int copies = happens(lost) ? 0 : happens(DOUBLED) ? 2 : 1; copies > 0; copies--) {
                byte[] bytes = new byte[batch.capacity()];
                batch.getBytes(0, bytes);
                UnsafeBuffer message = new UnsafeBuffer(bytes);
                ModelSession to = session();
                append((node, timestamp) -> {
                    to.from = node;
                    node.log.onSessionMessage(to.session, timestamp, message, 0, bytes.length, NO_HEADER);
                });
            }
            return true;
        }

        @Override
        public void close() {
            session = null;
        }
    }

    final class ModelSession {
        private final ClusterSender client;
        private final Deque<byte[]> acknowledgements = new ArrayDeque<>();
        private final int terms = term;
        private final ClientSession session = only(ClientSession.class, this::answer);
        private @Nullable Node from;
        private boolean reported = true;

        ModelSession(ClusterSender client) {
            this.client = client;
        }

        /** Sends the acknowledgements that the leader's log offers, and loses some. Ignores those of other nodes. */
        private Object answer(Method asked, Object[] arguments) {
            if (!asked.getName().equals("offer")) {
                throw new AssertionError(asked);
            }
            if (leader >= 0 && from == nodes[leader] && !happens(lost)) {
                byte[] bytes = new byte[(int) arguments[2]];
                ((DirectBuffer) arguments[0]).getBytes((int) arguments[1], bytes);
                acknowledgements.add(bytes);
            }
            return 1L;
        }

        void poll() {
            if (term != terms && reported) {
                reported = false;
                client.sendAllAgain();
            }
            while (!acknowledgements.isEmpty()) {
                byte[] answer = acknowledgements.remove();
                client.acknowledged(new UnsafeBuffer(answer), 0);
            }
        }

        boolean isClosed() {
            return term != terms && !reported && happens(0.5); // if true, the client connects again
        }
    }

    /** Implements the methods of an Aeron interface that the code under test calls. */
    interface Answer {
        @Nullable
        Object to(Method asked, Object[] arguments);
    }

    static <T> T only(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, asked, arguments) -> answer.to(asked, arguments)));
    }

    final ManualClock clock = new ManualClock(0);
    final @Nullable Node[] nodes;

    /** The last saved state of each node, which remains when the node's process dies. */
    private final @Nullable Saved[] saved;

    int restored;

    double lost = 0.02; // probability of the loss of a client's message or an acknowledgement

    /** The node that runs only half of the ticks; -1 for none. */
    int slow = -1;

    /** Whether the leader's process stands: it appends and reads nothing. */
    boolean leaderStands;

    /** The waiting ticks at which a node stops reading, so that there is room for all ticks whose input ends early before a save. */
    int maxWaiting = 10;

    private int cutOff = -1;
    private final SplittableRandom random;
    final long leadNanos;
    final Failover failover;

    /** The steps until a majority has an entry. */
    int commitSteps = 2;

    private final List<Entry> entries = new ArrayList<>();

    private long step;
    private int leader;
    private int term;
    private long electionStep;

    ModelCluster(int count, long seed) {
        random = new SplittableRandom(seed);
        leadNanos = (seed % 3 == 0 ? 45 : 7) * STEP_NANOS; // a lead of several ticks, or of less than one
        failover = seed % 2 == 0 ? Failover.ONE_RACK : Failover.DEFAULT;
        nodes = new Node[count];
        saved = new Saved[count];
    }

    boolean happens(double probability) {
        return random.nextDouble() < probability;
    }

    int number(int below) {
        return random.nextInt(below);
    }

    int leader() {
        return leader;
    }

    /** Appends an entry at which all nodes save their state, if there is a leader. */
    void save() {
        if (leader >= 0) {
            append((node, timestamp) -> {
                node.saving = true;
                node.log.beginSaveIfNotBegun();
            });
        }
    }

    void start(int number, long client, PendingAnswers answers) {
        nodes[number] = new Node(number, client, answers);
    }

    Node start(int number) {
        start(number, -1, new PendingAnswers("none", true, Long.MAX_VALUE, clock));
        return Objects.requireNonNull(nodes[number]);
    }

    /** Kills a node. If it led, some of its last entries are lost, and another node leads after a while. */
    void kill(int number) {
        nodes[number] = null;
        if (number == leader) {
            entries.subList(committed() + number(1 + entries.size() - committed()), entries.size())
                    .clear();
            leader = -1;
            electionStep = step + ELECTION_STEPS;
        }
    }

    /**
     * Disconnects the leader, which does not notice. The other nodes elect another leader at the earliest time at which real nodes could.
     */
    void cutOffLeader() {
        cutOff = leader;
        entries.subList(committed(), entries.size()).clear();
        leader = -1;
        electionStep = step + (int) (failover.heartbeatTimeoutNanos / STEP_NANOS) + number(ELECTION_STEPS);
    }

    ClusterSender client(long number, PendingAnswers answers) {
        return new ClusterSender(number, answers, clock, new ModelLink());
    }

    private void append(Effect effect) {
        entries.add(new Entry(step, Objects.requireNonNull(nodes[leader]).time.time(), effect));
    }

    private int committed() {
        int committed = entries.size();
        while (leader >= 0 && committed > 0 && entries.get(committed - 1).atStep > step - commitSteps) {
            committed--;
        }
        return leader < 0 ? committedBefore : committed;
    }

    private int committedBefore;

    /** Appends the leader's due timers, sometimes in reverse order. Each node forgets a timer when it reads the timer's entry. */
    private void fire(Node leading) {
        List<Long> due = new ArrayList<>(leading.timers.keySet());
        due.removeIf(timer -> Objects.requireNonNull(leading.timers.get(timer)) > leading.time.time());
        if (happens(0.2)) {
            Collections.reverse(due);
        }
        for (long timer : due) {
            leading.timers.remove(timer);
            append((node, timestamp) -> {
                node.timers.remove(timer);
                node.log.onTimerEvent(timer, timestamp);
            });
        }
    }

    /** Advances time by a millisecond. The leader's timers may fire, and each node reads some of the log and runs due ticks. */
    void step() {
        step++;
        clock.advance(STEP_NANOS);
        if (leader < 0 && step >= electionStep) {
            do {
                leader = number(nodes.length);
            } while (nodes[leader] == null || leader == cutOff);
            term++;
            int elected = leader;
            append((node, timestamp) ->
                    node.log.onNewLeadershipTermEvent(0, 0, timestamp, 0, elected, 0, TimeUnit.NANOSECONDS, 0));
        }
        committedBefore = committed();
        Node leading = leader < 0 ? null : nodes[leader];
        if (leading != null && !leaderStands) {
            fire(leading);
        }
        if (leading != null && leading.ticks.ring.isSaving() && happens(0.01)) {
            save(); // requests the snapshot late, sometimes after the ring has forgotten the save
        }
        for (Node node : nodes) {
            if (node != null && !happens(0.2) && !(leaderStands && node == leading)) {
                node.log.doBackgroundWork(0);
                if (node.number == slow) {
                    node.apply(step % SLOW_STEPS == 0 ? 1 : 0);
                } else if (node.number != cutOff) {
                    node.apply(node == leading ? MAX_ENTRIES : number(MAX_ENTRIES));
                }
                node.driver.runDueTicks();
            }
        }
    }
}
