package dev.escapement.cluster.aeron;

import static dev.escapement.cluster.aeron.ModelCluster.RUN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.cluster.aeron.RememberingWorld.Load;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PushedMasses.Push;
import dev.escapement.physics.command.Answer;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Waiter;
import dev.escapement.state.wire.ReceiverMetric;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.WireFormat;
import dev.escapement.transport.aeron.AeronDriver;
import dev.escapement.transport.aeron.AeronReceiver;
import io.aeron.LogBuffers;
import io.aeron.archive.CatalogView;
import io.aeron.logbuffer.LogBufferDescriptor;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clusters whose nodes are in one process, over loopback. */
@Timeout(120)
class ClusteredPhysicsTest {

    private static final List<String> HOSTS = List.of("localhost", "localhost", "localhost");

    @TempDir
    private Path folder;

    private final List<ClusteredPhysics> nodes = new ArrayList<>();

    @AfterEach
    void closeAll() {
        nodes.forEach(ClusteredPhysics::close);
    }

    @Test
    void oneNodeIsADurableRun() throws Exception {
        ClusterNode node = ClusterNode.of(0, List.of("localhost"), folder.resolve("node"), RUN);
        RememberingWorld first = new RememberingWorld();
        long saveEveryNanos = TimeUnit.MILLISECONDS.toNanos(300);
        try (ClusteredPhysics physics = new ClusteredPhysics(PhysicsService.builder(first), node, saveEveryNanos, 0)) {
            for (int i = 0; i < 25 || first.hashes.size() < 200; i++) {
                CompletableFuture<?>[] loads = Stream.generate(() -> physics.command(Load.TYPE, new Load(7)))
                        .limit(6)
                        .toArray(CompletableFuture<?>[]::new);
                CompletableFuture.allOf(loads).get();
            }
            await(() -> physics.isLeader() && physics.hasQuorum());
        }
        assertThat(folder.resolve("node/log/archive").toFile().list())
                .as("of 9 MB of log, and of states that were saved several times a second")
                .hasSizeLessThan(12);
        RememberingWorld again = new RememberingWorld();
        try (ClusteredPhysics physics = new ClusteredPhysics(PhysicsService.builder(again), node, saveEveryNanos, 0)) {
            play(physics);
        }
        assertThat(again.firstTick).isGreaterThan(100);
        requireSameTicks(again, first);
    }

    /** A checksum covers the content of the log. A node runs no tick with damaged content, and says why it ends. */
    @Test
    void aNodeWithADamagedLogSaysSo() throws Exception {
        ClusterNode node = ClusterNode.of(0, List.of("localhost"), folder, RUN);
        RememberingWorld first = new RememberingWorld();
        try (ClusteredPhysics physics =
                new ClusteredPhysics(PhysicsService.builder(first), node, Long.MAX_VALUE / 2, Long.MAX_VALUE / 2)) {
            play(physics);
        }
        Path log = folder.resolve("log/archive/0-0.rec");
        byte[] bytes = Files.readAllBytes(log);
        int push = new String(bytes, StandardCharsets.ISO_8859_1).lastIndexOf("push");
        bytes[push] ^= 1;
        Files.write(log, bytes);
        RememberingWorld again = new RememberingWorld();
        try (ClusteredPhysics physics =
                new ClusteredPhysics(PhysicsService.builder(again), node, Long.MAX_VALUE / 2, Long.MAX_VALUE / 2)) {
            await(physics::hasEnded);
            assertThat(physics.failure()).get().asString().contains("cannot continue from what is in " + folder);
        }
        assertThat(again.hashes).isEqualTo(first.hashes.subList(0, again.hashes.size()));
    }

    /**
     * All packets fit the smallest MTU of IPv6, including those of the log and of states, which Aeron copies as they were recorded. A
     * network may drop longer packets.
     */
    @Test
    void allPacketsFitTheSmallestPathOfIpv6() throws Exception {
        assertThat(AeronDriver.MTU_BYTES + 40 + 8).isLessThanOrEqualTo(1280);
        RememberingWorld world = new RememberingWorld();
        ClusterNode node = ClusterNode.of(0, List.of("localhost"), folder, RUN);
        Set<Integer> bytes = new TreeSet<>();
        try (ClusteredPhysics physics =
                new ClusteredPhysics(PhysicsService.builder(world), node, 300_000_000, Long.MAX_VALUE / 2)) {
            await(() -> world.hashes.size() > 100);
            File streams = new File(physics.clientContext().aeronDirectoryName(), "publications");
            for (File stream : Objects.requireNonNull(streams.listFiles())) {
                try (LogBuffers buffers = new LogBuffers(stream.toString())) {
                    bytes.add(LogBufferDescriptor.mtuLength(buffers.metaDataBuffer()));
                }
            }
        }
        assertThat(bytes).containsExactly(AeronDriver.MTU_BYTES);
        CatalogView.listRecordings(
                folder.resolve("log/archive").toFile(),
                (control, correlation, id, from, to, start, stop, term, segment, terms, mtu, s, i, c, o, by) ->
                        bytes.add(mtu));
        assertThat(bytes).containsExactly(AeronDriver.MTU_BYTES);
    }

    /**
     * A node whose state differs ends. After the loss of its folder it copies the leader's state, because the log's first ticks are
     * deleted.
     */
    @Test
    void aNodeThatDifferedAndLostItsFolderContinuesAlike() throws Exception {
        List<RememberingWorld> worlds = List.of(new RememberingWorld(), new RememberingWorld(), new RememberingWorld());
        startAll(worlds);
        while (worlds.get(0).hashes.size() < 200) {
            for (ClusteredPhysics node : nodes) { // on each node, because one may start later than the others
                play(node);
            }
        }
        List<Long> before = List.copyOf(worlds.get(2).hashes);
        ClusteredPhysics differs = nodes.get(2);
        assertThat(differs.service().query(tick -> {
                    worlds.get(2).push(3, 1e-9, 0, 0);
                    return tick;
                }))
                .succeedsWithin(30, TimeUnit.SECONDS);
        await(differs::hasEnded);
        assertThat(differs.service().divergence()).isPresent();
        differs.close();
        for (ClusteredPhysics node : nodes.subList(0, 2)) {
            play(node);
            assertThat(node.service().divergence()).isEmpty();
        }
        IoUtil.delete(folder.resolve("node2").toFile(), false);
        RememberingWorld again = new RememberingWorld();
        nodes.add(start(2, again));
        play(nodes.get(3));
        nodes.forEach(ClusteredPhysics::close);
        assertThat(again.firstTick).isGreaterThan(100);
        requireSameTicks(again, worlds.get(0));
        requireSameTicks(worlds.get(1), worlds.get(0));
        assertThat(worlds.get(0).hashes).startsWith(before.toArray(Long[]::new));
    }

    @Test
    void aViewerAndAPlayerSwitchToTheNextLeader() throws Exception {
        List<RememberingWorld> worlds = List.of(new RememberingWorld(), new RememberingWorld(), new RememberingWorld());
        List<String> channels = IntStream.range(0, HOSTS.size())
                .mapToObj(node -> "aeron:udp?control=localhost:" + (20360 + node))
                .toList();
        SnapshotReceiver viewer = new SnapshotReceiver(ReceiverSettings.DEFAULT, NanoClock.system());
        try (AeronDriver driver = AeronDriver.embedded();
                AeronReceiver stream = AeronReceiver.startOfReplicas(driver, channels, viewer, NanoClock.system());
                ClusterSender player = ClusterSender.start(driver, HOSTS, ClusterNode.FIRST_PORT, "localhost")) {
            assertThat(stream).isNotNull();
            startAll(worlds);
            for (ClusteredPhysics node : nodes) {
                LeaderStream.start(node, driver, channels.get(nodes.indexOf(node)), new WireFormat(0.001f, 0.003f));
            }
            await(viewer::isReady);
            SnapshotReader reader = viewer.newReader();
            long before = awaitTick(reader, 20);
            player.input().offer(System.nanoTime(), InputKind.KEY_DOWN, 87, 0, 0);
            assertThat(player.command(Push.TYPE, new Push(3, 5))).succeedsWithin(30, TimeUnit.SECONDS);
            int sender = player.sender();
            nodes.stream().filter(ClusteredPhysics::isLeader).findFirst().ifPresent(ClusteredPhysics::close);
            await(() -> viewer.metric(ReceiverMetric.STREAMS) == 2);
            assertThat(player.command(Push.TYPE, new Push(3, 5))).succeedsWithin(30, TimeUnit.SECONDS);
            awaitTick(reader, before + 100);
            assertThat(player.sender()).isEqualTo(sender);
        }
    }

    /** Requires equal hashes of all ticks that both worlds have, and at least one tick that both processes ran. */
    private static void requireSameTicks(RememberingWorld one, RememberingWorld other) {
        int both = Math.min(one.hashes.size(), other.hashes.size());
        assertThat((long) both).isGreaterThanOrEqualTo(Math.max(one.firstTick, other.firstTick));
        assertThat(one.hashes.subList(0, both)).isEqualTo(other.hashes.subList(0, both));
    }

    private static long awaitTick(SnapshotReader reader, long tick) {
        await(() -> {
            reader.acquire();
            if (reader.hasWindow()) {
                assertThat(reader.window().newest().bodies().count()).isEqualTo(8);
            }
            return reader.hasWindow() && reader.window().newestTick() >= tick;
        });
        return reader.window().newestTick();
    }

    @Test
    void aNodeAloneTicksNotAndAnswersAll() {
        ClusteredPhysics alone = ClusteredPhysics.start(
                PhysicsService.builder(new RememberingWorld()), ClusterNode.of(0, HOSTS, folder, RUN));
        CompletableFuture<Answer<Integer>> pushed = alone.command(Push.TYPE, new Push(1, 1));
        assertThat(alone.input().offer(System.nanoTime(), InputKind.KEY_DOWN, 1, 0, 0))
                .as("which no tick might get")
                .isFalse();
        alone.close();
        assertThat(pushed)
                .failsWithin(0, TimeUnit.SECONDS)
                .withThrowableThat()
                .withMessageContaining("node 0 has ended");
        assertThat(alone.command(Push.TYPE, new Push(1, 1))).isCompletedExceptionally();
        assertThatIllegalStateException().isThrownBy(alone::pause).withMessage("node 0 has ended");
        assertThat(alone.hasEnded()).isTrue();
        alone.close();
    }

    /** Starts all nodes at the same time, because each start waits for a leader. */
    private void startAll(List<RememberingWorld> worlds) {
        IntStream.range(0, worlds.size())
                .mapToObj(node -> CompletableFuture.supplyAsync(() -> start(node, worlds.get(node))))
                .toList()
                .forEach(started -> nodes.add(started.join()));
    }

    private ClusteredPhysics start(int node, RememberingWorld world) {
        return new ClusteredPhysics(
                PhysicsService.builder(world),
                ClusterNode.of(node, HOSTS, folder.resolve("node" + node), RUN),
                TimeUnit.MILLISECONDS.toNanos(500),
                0);
    }

    static void await(BooleanSupplier reached) {
        while (!reached.getAsBoolean()) {
            assertThat(Thread.currentThread().isInterrupted()).as("timed out").isFalse();
            Waiter.system().park(1_000_000);
        }
    }

    static void play(ClusteredPhysics physics) throws Exception {
        for (int i = 0; i < 20; i++) {
            int key = i;
            // The ring refuses input until the nodes agree on a world.
            await(() -> physics.input().offer(System.nanoTime(), InputKind.KEY_DOWN, key, 0, 0));
            CompletableFuture<Answer<Integer>> pushed = physics.command(Push.TYPE, new Push(i, i));
            assertThat(pushed.get(30, TimeUnit.SECONDS).value()).isEqualTo(i);
        }
    }
}
