package dev.escapement.cluster.aeron;

import static dev.escapement.cluster.aeron.ModelCluster.RUN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.cluster.aeron.ModelCluster.Node;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.Await;
import dev.escapement.state.Logged;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.transport.aeron.AeronDriver;
import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.logbuffer.Header;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.logging.LogRecord;
import java.util.stream.IntStream;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommittedLogTest {

    private static final UUID WORLD = new UUID(1, 2);

    private static final ClusterNode NODE = ClusterNode.of(0, List.of("localhost"), Path.of("none"), RUN);

    private static PendingAnswers answers(ManualClock clock) {
        return new PendingAnswers("none", true, Long.MAX_VALUE, clock);
    }

    private static CommittedTicks ticks(ManualClock clock, RememberingWorld world) {
        CommittedTicks ticks = new CommittedTicks(NODE, 1, answers(clock));
        ticks.open(world);
        return ticks;
    }

    private static CommittedLog log(
            CommittedTicks ticks, ManualClock clock, Consumer<UUID> keepWorld, long saveEveryNanos) {
        return new CommittedLog(ticks, NODE, 1, reported -> {}, keepWorld, new ClusterTime(clock, 0), saveEveryNanos);
    }

    /**
     * A cluster refuses a node with another run than the first node's. It also refuses a node with another interval of saves. Before each
     * save the input of some ticks ends early, so that node would run commands in other ticks than the other nodes.
     */
    @Test
    void aNodeOfAnotherRunIsRefused() {
        Node node = new ModelCluster(1, 1).start(0);
        RunDescription run = new RunDescription("masses", "1", "", 8, TickRate.hertz(60));
        String others = ClusterNode.of(0, List.of("localhost"), Path.of("none"), run)
                .sharedByAll(new RememberingWorld().commands().types());
        Batch.Writer batch = new Batch.Writer(9);
        batch.world(others, WORLD);
        assertThatIllegalStateException()
                .isThrownBy(() -> receive(node.log, batch.take(1)))
                .withMessageMatching(
                        "this node runs masses 1, scene '', seed 7, 100 Hz, lead 7000000 ns.*, states saved every"
                                + " 1000000000 ns, but the cluster masses 1, scene '', seed 8, 60 Hz, lead 7000000 ns.*");
        assertThatIllegalStateException().isThrownBy(() -> node.ticks.poll()).withMessageContaining("seed 8");
    }

    private static void receive(CommittedLog log, byte[] batch) {
        log.onSessionMessage(session(), 0, new UnsafeBuffer(batch), 0, batch.length, new Header(0, 0));
    }

    private static ClientSession session() {
        return ModelCluster.only(ClientSession.class, (asked, arguments) -> -1L);
    }

    @Test
    void theFirstIdentityOfTheWorldThatIsCommittedCounts() {
        ManualClock clock = new ManualClock(0);
        List<UUID> noted = new ArrayList<>();
        CommittedLog log = log(ticks(clock, new RememberingWorld()), clock, noted::add, Long.MAX_VALUE / 2);
        log.onStart(runningCluster(() -> {}), null);
        log.onSessionOpen(session(), 0);
        for (int number = 1; number <= 3; number++) {
            Batch.Writer run = new Batch.Writer(9);
            run.world(log.sharedByAll(), new UUID(number, number));
            receive(log, run.take(number));
        }
        assertThat(noted).containsExactly(new UUID(1, 1));
    }

    /** A saved state has the identity of the world, because a node that begins from it does not read the first entry. */
    @Test
    void aSavedStateHasTheIdentityOfTheWorld() {
        ModelCluster cluster = new ModelCluster(1, 1);
        cluster.start(0);
        ClusterSender client = cluster.client(1, answers(cluster.clock));
        run(cluster, client, 200);
        saveAndRun(cluster, client);
        Node node = cluster.start(0); // starts from the saved state
        assertThat(node.named).as("saved before the first entry").isEmpty();
        String shared = node.log.sharedByAll();
        assertThat(client.offer(batch -> batch.world(shared, WORLD))).isTrue();
        for (int twice = 0; twice < 2; twice++) {
            saveAndRun(cluster, client);
            node = cluster.start(0);
            assertThat(node.named).containsExactly(WORLD);
        }
    }

    private static void saveAndRun(ModelCluster cluster, ClusterSender client) {
        run(cluster, client, 200);
        cluster.save();
        run(cluster, client, 200);
    }

    /** Creates a cluster in which this node is a follower. {@code idle} runs whenever the log waits. */
    private static Cluster runningCluster(Runnable idle) {
        IdleStrategy waits = ModelCluster.only(IdleStrategy.class, (asked, arguments) -> {
            idle.run();
            return null;
        });
        return ModelCluster.only(Cluster.class, (asked, arguments) -> switch (asked.getName()) {
            case "idleStrategy" -> waits;
            case "role" -> Cluster.Role.FOLLOWER;
            default -> true;
        });
    }

    /** A node that waits for its physics thread extends its lease, but not while it replays an old log. Otherwise it would seem to lead. */
    @Test
    void aReplayingNodeNeverSeemsToLead() {
        ManualClock clock = new ManualClock(TimeUnit.HOURS.toNanos(1));
        CommittedTicks ticks = ticks(clock, new RememberingWorld());
        CommittedLog log = log(ticks, clock, world -> {}, Long.MAX_VALUE / 2);
        List<Boolean> advancing = new ArrayList<>();
        AtomicLong run = new AtomicLong();
        log.onStart(
                runningCluster(() -> {
                    advancing.add(log.isAdvancing());
                    clock.advance(NODE.failover().leaseNanos() / 2);
                    if (advancing.size() % 5 == 0) {
                        ticks.poll();
                        ticks.take(run.incrementAndGet());
                    }
                }),
                null);
        log.onSessionOpen(session(), 0);
        for (int tick = 1; tick <= 60; tick++) {
            log.onTimerEvent(tick, TimeUnit.MILLISECONDS.toNanos(10L * tick));
            advancing.add(log.isAdvancing());
        }
        assertThat(run).hasPositiveValue();
        assertThat(advancing).containsOnly(false);
        advancing.clear();
        log.onTimerEvent(61, clock.nanoTime());
        assertThat(advancing)
                .as("waits for longer than a lease")
                .hasSizeGreaterThan(3)
                .containsOnly(true);
    }

    @Test
    void shouldIgnoreAndReportAClientOfAnotherVersionOnce() {
        Node node = new ModelCluster(1, 1).start(0);
        Batch.Writer batch = new Batch.Writer(8);
        batch.time(Batch.Request.PAUSE);
        byte[] ofTheVersionBefore = batch.take(1);
        ofTheVersionBefore[0]--;
        try (Logged logged = new Logged("cluster")) {
            receive(node.log, ofTheVersionBefore);
            receive(node.log, new byte[1]);
            assertThat(logged.records)
                    .singleElement()
                    .extracting(LogRecord::getMessage)
                    .asString()
                    .contains(
                            "A client of the cluster is ignored: a batch of inputs is of version 11, but this is version 12;"
                                    + " give it the version of Escapement that the nodes have");
        }
        node.ticks.poll(); // throws if the node has ended
    }

    /** Each piece of a state that a node reads counts as progress, even if the node then refuses the state. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theStateThatIsReadIsProgress(boolean damaged) {
        Node node = new ModelCluster(1, 1).start(0);
        byte[] state = new StateBuffer()
                .put(5L)
                .put(new byte[] {'x'})
                .put(new byte[40_000])
                .toBytes();
        state[20_000] += (byte) (damaged ? 1 : 0);
        List<Long> read = new ArrayList<>();
        IdleStrategy idle = ModelCluster.only(IdleStrategy.class, (asked, arguments) -> {
            read.add(node.log.stateBytesRead());
            return null;
        });
        Cluster reader = ModelCluster.only(
                Cluster.class, (asked, arguments) -> asked.getName().equals("logPosition") ? (Object) 5L : idle);
        String channel = "aeron:ipc?term-length=1m";
        try (AeronDriver driver = AeronDriver.embedded();
                Aeron aeron = Aeron.connect(driver.newClientContext());
                Subscription from = aeron.addSubscription(channel, 1)) {
            try (ExclusivePublication to = aeron.addExclusivePublication(channel, 1)) {
                Await.until(() -> from.isConnected() && to.isConnected());
                CommittedLog.writeState(state, to, idle);
            }
            assertThatIllegalStateException()
                    .isThrownBy(() -> node.log.onStart(reader, from.imageAtIndex(0)))
                    .withMessageContaining(
                            damaged ? "a saved state of " + state.length + " bytes is damaged" : "but the cluster x;");
        }
        assertThat(read).isSorted().endsWith((long) state.length).anyMatch(bytes -> bytes > 0 && bytes < state.length);
    }

    @Test
    void aStateIsHandedOverOnceItIsWhole() {
        AtomicReference<StateBuffer> handed = new AtomicReference<>();
        CommittedTicks ticks = ticks(new ManualClock(0), new RememberingWorld() {
            @Override
            public void save(StateBuffer to) {
                assertThat(handed).as("before it is whole").hasNullValue();
                super.save(to);
            }
        });
        assertThat(ticks.ring.offer(new TickRing.Save(handed))).isTrue();
        ticks.poll();
        assertThat(handed).doesNotHaveNullValue();
    }

    /** Commands fail with the first cause only. A refused node also leaves the cluster, but that second cause would mislead. */
    @ParameterizedTest
    @ValueSource(strings = {"refused", "left"})
    void pendingCommandsGetTheFirstCauseOfALeave(String first) {
        PendingAnswers answers = answers(new ManualClock(0));
        CommittedTicks ticks = new CommittedTicks(NODE, 1, answers);
        CompletableFuture<?> pending = answers.await(new CommandName("push", 1), offered -> true);
        if (first.equals("refused")) {
            ticks.fail(new IllegalStateException(first)); // the physics thread has not polled this failure
        }
        ticks.left(null, () -> new IllegalStateException("left"));
        assertThat(pending)
                .failsWithin(10, TimeUnit.SECONDS)
                .withThrowableThat()
                .havingRootCause()
                .withMessage(first);
        assertThatIllegalStateException()
                .isThrownBy(ticks::poll)
                .withMessageEndingWith("any more: " + first)
                .satisfies(failure -> assertThat(failure).hasNoSuppressedExceptions());
    }

    @Test
    void aNodeThatDiffersSaysWhatToDo() {
        ManualClock clock = new ManualClock(0);
        CommittedTicks ticks = new CommittedTicks(NODE, 1, answers(clock));
        List<TickHook.Fault.Reason> faults = new ArrayList<>();
        TickHook hook = new TickHook() {
            @Override
            public void fault(TickHook.Fault fault) {
                faults.add(fault.reason());
            }
        };
        InlineDriver driver = PhysicsService.builder(new RememberingWorld())
                .follow(ticks)
                .with(hook)
                .inline(clock);
        ticks.endAsDiffering(new TickSource.Divergence(7, 1, 2, "", ""));
        assertThatIllegalStateException()
                .isThrownBy(driver::runDueTicks)
                .withStackTraceContaining("tick 7")
                .withStackTraceContaining("; delete none and start it: it continues from the leader's state");
        assertThat(faults).containsExactly(TickHook.Fault.Reason.DIFFERED, TickHook.Fault.Reason.THREW);
    }

    @Test
    void aScaleRequestedInAPauseCountsFromTheResume() {
        ModelCluster cluster = new ModelCluster(1, 1);
        Node node = cluster.start(0);
        ClusterSender client = cluster.client(1, answers(cluster.clock));
        client.offer(batch -> batch.time(Batch.Request.PAUSE));
        run(cluster, client, 200);
        long before = node.ticks.hashes.lastRun();
        client.offer(batch -> {
            batch.scale(new TimeScale(1, 10));
            batch.time(Batch.Request.RESUME);
        });
        run(cluster, client, 100);
        assertThat(node.ticks.hashes.lastRun()).isEqualTo(before);
        run(cluster, client, 50);
        assertThat(node.ticks.hashes.lastRun()).isEqualTo(before + 1);
    }

    /** A leader that skips much of the time says so within 5 s, with the cause and the remedy. Other nodes say nothing. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                     2 | 100 |
                    24 | 100 |
                    32 | 100 | the nodes are too far apart for a lead of 7 ms: .* 3[2-4] ms .* give all nodes a lead of [67]\\d ms
                     2 |  40 | node [12], which leads, is too slow: it was stopped or busy for [5-7]\\d\\d ms .*
                    """)
    void aSlowLeaderNamesTheCauseOnce(int commitSteps, int runsOfHundred, @Nullable String cause) {
        ModelCluster cluster = new ModelCluster(3, 1);
        IntStream.range(0, 3).forEach(cluster::start);
        ClusterSender client = cluster.client(1, answers(cluster.clock));
        run(cluster, client, 500);
        cluster.cutOffLeader(); // the first leader of the model begins without a term
        run(cluster, client, 3000);
        cluster.commitSteps = commitSteps;
        try (Logged logged = new Logged("cluster")) {
            for (int step = 0; step < 10_000; step++) {
                cluster.leaderStands = step % 100 >= runsOfHundred;
                run(cluster, client, 1);
                assertThat(logged.records)
                        .hasSizeBetween(cause == null || step < 5000 ? 0 : 1, cause == null || step < 2000 ? 0 : 1);
            }
            assertThat(logged.records)
                    .hasSize(cause == null ? 0 : 1)
                    .extracting(LogRecord::getMessage)
                    .allMatch(message -> message.matches(
                            "Cluster, node [12]: only \\d\\d of (99|100|101) ticks a second run, because " + cause));
        }
    }

    private static void run(ModelCluster cluster, ClusterSender client, int steps) {
        for (int step = 0; step < steps; step++) {
            client.work();
            cluster.step();
        }
    }

    @Test
    void aClientHasNotSentWhatWaitsForItsTime() {
        ModelCluster cluster = new ModelCluster(1, 1);
        cluster.start(0);
        ClusterSender client = cluster.client(1, answers(cluster.clock));
        assertThat(client.input().offer(cluster.clock.nanoTime() + 1, InputKind.KEY_DOWN, 1, 0, 0))
                .isTrue();
        client.work();
        assertThat(client.hasSentAll()).isFalse();
    }
}
