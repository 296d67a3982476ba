package dev.escapement.cluster.aeron;

import static dev.escapement.cluster.aeron.ModelCluster.RUN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PushedMasses;
import dev.escapement.physics.PushedMasses.Push;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.ReceiverMetric;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.WireFormat;
import dev.escapement.transport.aeron.AeronDriver;
import dev.escapement.transport.aeron.AeronReceiver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.agrona.IoUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes in one process, over loopback. */
@Timeout(120)
class ClusteredPhysicsTest {

    /** Remembers the hash of each tick. */
    static class Hashed extends PushedMasses {

        final List<Long> hashes = Collections.synchronizedList(new ArrayList<>());

        /** What happened, and by whom. */
        final Collection<String> senders = Collections.synchronizedSet(new LinkedHashSet<>());

        long firstTick;

        Hashed() {
            super(20);
            commands().on(Ballast.TYPE, (tick, ballast) -> Ballast.BYTES);
        }

        @Override
        public void step(Tick tick) {
            super.step(tick);
            for (int i = 0; i < tick.input().size(); i++) {
                InputEvent event = tick.input().event(i);
                senders.add(
                        event.kind() == InputKind.KEY_UP
                                ? "releases " + event.sender()
                                : event.kind() + " " + event.sender());
            }
            firstTick = hashes.isEmpty() ? tick.number() : firstTick;
            hashes.add(hash());
        }
    }

    /** Fills the log. */
    record Ballast() {
        static final int BYTES = 45_000;
        static final CommandType<Ballast, Integer> TYPE =
                CommandType.of("ballast", 1, (ballast, to) -> to.write(new byte[BYTES]), from -> {
                    from.readFully(new byte[BYTES]);
                    return new Ballast();
                });
    }

    private static final List<String> HOSTS = List.of("localhost", "localhost", "localhost");

    @TempDir
    private Path folder;

    /** The service of a node can be recorded, like any other. */
    @Test
    void oneNodeIsADurableRun() throws Exception {
        ClusterNode node = ClusterNode.of(0, List.of("localhost"), folder.resolve("node"), RUN);
        Path log = folder.resolve("log");
        Hashed first = new Hashed();
        try (Recording recording = Recording.create(log, RUN);
                ClusteredPhysics physics =
                        ClusteredPhysics.start(PhysicsService.builder(first).with(recording), node)) {
            play(physics);
        }
        Hashed replayed = new Hashed();
        try (PhysicsService replay =
                PhysicsService.builder(replayed).replay(InputLog.open(log)).build()) {
            replay.start();
            while (replayed.hashes.size() < first.hashes.size() && !replay.hasEnded()) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            assertThat(replay.divergence()).isEmpty();
        }
        assertThat(replayed.hashes).isEqualTo(first.hashes);
        Hashed again = new Hashed();
        try (ClusteredPhysics physics = ClusteredPhysics.start(PhysicsService.builder(again), node)) {
            while ((again.hashes.size() < first.hashes.size() || !physics.isLeader()) && !physics.hasEnded()) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            assertThat(physics.hasQuorum()).isTrue();
        }
        assertThat(again.hashes.subList(0, first.hashes.size())).isEqualTo(first.hashes);
    }

    /** From the saved state, and not from the first tick. */
    @Test
    void aNodeGoesOnFromTheStateThatItSavedLast() throws Exception {
        ClusterNode node = ClusterNode.of(0, List.of("localhost"), folder, RUN);
        Hashed first = new Hashed();
        long saveEveryNanos = TimeUnit.MILLISECONDS.toNanos(300);
        try (ClusteredPhysics physics = new ClusteredPhysics(PhysicsService.builder(first), node, saveEveryNanos, 0)) {
            for (int i = 0; i < 25 || first.hashes.size() < 200; i++) {
                List<CompletableFuture<Answer<Integer>>> loaded = Stream.generate(
                                () -> physics.command(Ballast.TYPE, new Ballast()))
                        .limit(8)
                        .toList();
                for (CompletableFuture<Answer<Integer>> answer : loaded) {
                    assertThat(answer.get().value()).isEqualTo(Ballast.BYTES);
                }
            }
        }
        assertThat(folder.resolve("log/archive").toFile().list())
                .as("of 9 MB of log, and of states that were saved several times a second")
                .hasSizeLessThan(12);
        Hashed again = new Hashed();
        try (ClusteredPhysics physics = new ClusteredPhysics(PhysicsService.builder(again), node, saveEveryNanos, 0)) {
            play(physics);
        }
        assertThat(again.firstTick).isGreaterThan(100);
        int both = first.hashes.size() - ((int) again.firstTick - 1);
        assertThat(again.hashes.subList(0, both))
                .isEqualTo(first.hashes.subList((int) again.firstTick - 1, first.hashes.size()));
    }

    /** A node that differs ends. A node that has lost its folder copies the leader's state, because the first ticks are deleted. */
    @Test
    void threeNodesHaveTheSameTicksAlsoIfOneHasDifferedAndLostItsFolder() throws Exception {
        List<Hashed> worlds = new ArrayList<>(List.of(new Hashed(), new Hashed(), new Hashed()));
        List<ClusteredPhysics> nodes = new ArrayList<>();
        try {
            startAll(nodes, worlds);
            while (worlds.get(0).hashes.size() < 200) {
                for (ClusteredPhysics node : nodes) { // each, as one may start later than the others run
                    play(node);
                }
            }
            assertThat(nodes.get(2).service().query(tick -> {
                        worlds.get(2).push(3, 1e-9, 0, 0);
                        worlds.set(2, worlds.get(0)); // the states from here on are not compared
                        return tick;
                    }))
                    .succeedsWithin(30, TimeUnit.SECONDS);
            while (!nodes.get(2).hasEnded()) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            assertThat(nodes.get(2).service().divergence()).isPresent();
            play(nodes.get(0));
            play(nodes.get(1));
            assertThat(nodes.get(0).service().divergence()).isEmpty();
            assertThat(nodes.get(1).service().divergence()).isEmpty();
            nodes.get(2).close();
            IoUtil.delete(folder.resolve("node2").toFile(), false);
            Hashed again = new Hashed();
            ClusteredPhysics second = start(2, again);
            nodes.set(2, second);
            play(second);
            nodes.forEach(ClusteredPhysics::close);
            assertThat(again.firstTick).isGreaterThan(100);
            int from = (int) again.firstTick - 1;
            int both = Math.min(again.hashes.size(), worlds.get(0).hashes.size() - from);
            assertThat(both).isPositive();
            assertThat(again.hashes.subList(0, both))
                    .isEqualTo(worlds.get(0).hashes.subList(from, from + both));
            for (Hashed world : worlds) {
                int all = Math.min(world.hashes.size(), worlds.get(0).hashes.size());
                assertThat(all).isGreaterThan(50);
                assertThat(world.hashes.subList(0, all))
                        .isEqualTo(worlds.get(0).hashes.subList(0, all));
            }
        } finally {
            nodes.forEach(ClusteredPhysics::close);
        }
    }

    /** All input arrives, in order, before the sender is closed. */
    @Test
    void aProcessThatIsNoNodeSends() throws Exception {
        Hashed world = new Hashed();
        List<String> hosts = List.of("localhost");
        try (ClusteredPhysics physics =
                        ClusteredPhysics.start(PhysicsService.builder(world), ClusterNode.of(0, hosts, folder, RUN));
                AeronDriver driver = AeronDriver.embedded()) {
            try (ClusterSender sender = ClusterSender.start(driver, hosts, ClusterNode.FIRST_PORT, "localhost")) {
                assertThat(sender.command(Push.TYPE, new Push(3, 5))).succeedsWithin(30, TimeUnit.SECONDS);
                while (sender.sender() == 0) { // a command that was made before the link was open does not wait for it
                    TimeUnit.MILLISECONDS.sleep(1);
                }
                assertThat(sender.sender()).as("known before its first event").isEqualTo(1);
                for (int i = 0; i < 50; i++) {
                    assertThat(sender.input().offer(System.nanoTime(), InputKind.KEY_DOWN, i, 0, 0))
                            .isTrue();
                }
            }
            play(physics);
            assertThat(physics.sender()).isEqualTo(2);
            assertThat(world.senders)
                    .containsExactly(
                            "SENDER_JOINED 1",
                            "KEY_DOWN 1",
                            "releases 1",
                            "SENDER_LEFT 1",
                            "SENDER_JOINED 2",
                            "KEY_DOWN 2");
            assertThat(physics.service()
                            .query(tick -> world.inputsApplied())
                            .get()
                            .value())
                    .isEqualTo(50 + 50 + 20 + 3);
        }
    }

    /** The picture continues with the same bodies; who plays is the same sender, and holds what it held. */
    @Test
    void aViewerAndAPlayerGoOverToTheNextLeader() throws Exception {
        List<ClusteredPhysics> nodes = new ArrayList<>();
        List<Hashed> worlds = List.of(new Hashed(), new Hashed(), new Hashed());
        List<String> channels = IntStream.range(0, HOSTS.size())
                .mapToObj(node -> "aeron:udp?control=localhost:" + (20360 + node))
                .toList();
        SnapshotReceiver viewer = new SnapshotReceiver(ReceiverSettings.DEFAULT, NanoClock.system());
        try (AeronDriver driver = AeronDriver.embedded();
                AeronReceiver stream = AeronReceiver.startOfReplicas(driver, channels, viewer, NanoClock.system())) {
            assertThat(stream).isNotNull();
            startAll(nodes, worlds);
            for (ClusteredPhysics node : nodes) {
                LeaderStream.start(node, driver, channels.get(nodes.indexOf(node)), new WireFormat(0.001f, 0.003f));
            }
            while (!viewer.isReady()) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            SnapshotReader reader = viewer.newReader();
            long before = awaitTick(reader, 20);
            try (ClusterSender player = ClusterSender.start(driver, HOSTS, ClusterNode.FIRST_PORT, "localhost")) {
                player.input().offer(System.nanoTime(), InputKind.KEY_DOWN, 87, 0, 0);
                assertThat(player.command(Push.TYPE, new Push(3, 5))).succeedsWithin(30, TimeUnit.SECONDS);
                int sender = player.sender();
                nodes.stream().filter(ClusteredPhysics::isLeader).findFirst().ifPresent(ClusteredPhysics::close);
                while (viewer.metric(ReceiverMetric.STREAMS) < 2) {
                    TimeUnit.MILLISECONDS.sleep(10);
                }
                assertThat(player.command(Push.TYPE, new Push(3, 5))).succeedsWithin(30, TimeUnit.SECONDS);
                awaitTick(reader, before + 400); // longer than who does not return stays
                assertThat(player.sender()).isEqualTo(sender);
                ClusteredPhysics left = nodes.stream()
                        .filter(node -> !node.hasEnded())
                        .findFirst()
                        .orElseThrow();
                assertThat(worlds.get(nodes.indexOf(left)).senders)
                        .containsExactly("SENDER_JOINED " + sender, "KEY_DOWN " + sender);
            }
            nodes.forEach(ClusteredPhysics::close);
        } finally {
            nodes.forEach(ClusteredPhysics::close);
        }
    }

    private static long awaitTick(SnapshotReader reader, long tick) throws InterruptedException {
        while (!reader.acquire() || reader.window().newestTick() < tick) {
            if (reader.hasWindow()) {
                assertThat(reader.window().newest().bodies().count()).isEqualTo(20);
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return reader.window().newestTick();
    }

    /** A node alone waits for the others. Commands that were offered meanwhile fail when it ends. */
    @Test
    void aNodeAloneTicksNotAndAnswersAll() {
        ClusteredPhysics alone =
                ClusteredPhysics.start(PhysicsService.builder(new Hashed()), ClusterNode.of(0, HOSTS, folder, RUN));
        CompletableFuture<Answer<Integer>> pushed = alone.command(Push.TYPE, new Push(1, 1));
        alone.close();
        assertThat(pushed)
                .failsWithin(1, TimeUnit.SECONDS)
                .withThrowableThat()
                .withMessageContaining("node 0 has ended");
        assertThat(alone.command(Push.TYPE, new Push(1, 1))).isCompletedExceptionally();
        assertThatIllegalStateException().isThrownBy(alone::pause).withMessage("node 0 has ended");
        assertThat(alone.hasEnded()).isTrue();
        alone.close();
    }

    /** Starts all nodes at the same time, because each looks for a leader first. */
    private void startAll(List<ClusteredPhysics> nodes, List<Hashed> worlds) {
        IntStream.range(0, worlds.size())
                .mapToObj(node -> CompletableFuture.supplyAsync(() -> start(node, worlds.get(node))))
                .toList()
                .forEach(started -> nodes.add(started.join()));
    }

    private ClusteredPhysics start(int node, Hashed world) {
        return new ClusteredPhysics(
                PhysicsService.builder(world),
                ClusterNode.of(node, HOSTS, folder.resolve("node" + node), RUN),
                TimeUnit.MILLISECONDS.toNanos(500),
                0);
    }

    static void play(ClusteredPhysics physics) throws Exception {
        for (int i = 0; i < 20; i++) {
            while (!physics.input().offer(System.nanoTime(), InputKind.KEY_DOWN, i, 0, 0)) {
                TimeUnit.MILLISECONDS.sleep(1); // until the world is agreed
            }
            CompletableFuture<Answer<Integer>> pushed = physics.command(Push.TYPE, new Push(i, i));
            assertThat(pushed.get(30, TimeUnit.SECONDS).value()).isEqualTo(i);
        }
    }
}
