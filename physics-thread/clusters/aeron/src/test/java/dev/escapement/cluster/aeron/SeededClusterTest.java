package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.aeron.ModelCluster.Node;
import dev.escapement.physics.PushedMasses.Push;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.state.Slice;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.TimeScale;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The parts of nodes and their clients, with elections and crashes, on virtual time. A seed that fails, fails again. */
class SeededClusterTest {

    private static final int NODES = 3;
    private static final int KEY_W = 87;
    private static final int STEPS = 6000;
    private static final int QUIET_STEPS = 3000;

    /** A client that never dies: only its links do. */
    private static final class Player {
        final ClusterClient client;
        final int first;
        int offered;

        Player(ModelCluster cluster, int number) {
            first = 1_000_000 * number;
            client = new ClusterClient(number, cluster.clock, batch -> {}, cluster.connector());
        }

        boolean isOwn(int input) {
            return input / 1_000_000 == first / 1_000_000;
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyNodeRunsTheSameAndEachInputOnce(long seed) {
        ModelCluster cluster = new ModelCluster(NODES, seed);
        List<Player> players = List.of(new Player(cluster, 1), new Player(cluster, 2));
        for (int node = 0; node < NODES; node++) {
            cluster.start(node, 0, (answer, thrown) -> {});
        }
        List<RememberingWorld> worlds = new ArrayList<>();
        CommandHandlers handlers = new RememberingWorld().commands();
        long restartStep = 0;
        int dead = -1;
        for (int step = 0; step < STEPS + QUIET_STEPS; step++) {
            boolean quiet = step >= STEPS;
            for (Player player : players) {
                if (!quiet && cluster.happens(0.3)) {
                    player.offered++;
                    assertThat(player.client
                                    .input()
                                    .offer(
                                            cluster.clock.nanoTime(),
                                            InputKind.APPLICATION,
                                            player.first + player.offered,
                                            0,
                                            0))
                            .isTrue();
                    assertThat(player.client.offer(
                                    handlers.write(Push.TYPE, new Push(step, player.first + player.offered)),
                                    ModelCluster.IGNORED))
                            .isTrue();
                }
                if (!quiet && cluster.happens(0.02)) {
                    InputKind kind = cluster.happens(0.5) ? InputKind.KEY_DOWN : InputKind.KEY_UP;
                    assertThat(player.client.input().offer(cluster.clock.nanoTime(), kind, KEY_W, 0, 0))
                            .isTrue();
                }
                player.client.work();
            }
            if (!quiet && cluster.happens(0.003)) {
                steer(cluster, players.get(cluster.number(2)).client);
            } else if (step == STEPS + QUIET_STEPS / 2) {
                assertThat(players.get(0).client.offer(InputBatch.Request.RESUME))
                        .isTrue();
                assertThat(players.get(0).client.offer(TimeScale.ONE)).isTrue();
            }
            if (cluster.happens(0.0005)) {
                cluster.save();
            }
            if (dead < 0 && !quiet && cluster.happens(0.002)) {
                dead = cluster.happens(0.5) && cluster.leader() >= 0 ? cluster.leader() : cluster.number(NODES);
                worlds.add(node(cluster, dead).world);
                cluster.kill(dead);
                restartStep = step + 100L + cluster.number(900);
            } else if (dead >= 0 && step >= restartStep) {
                cluster.start(dead, 0, (answer, thrown) -> {});
                dead = -1;
            }
            cluster.step();
        }
        IntStream.range(0, NODES).forEach(node -> worlds.add(node(cluster, node).world));
        assertThat(cluster.restored).isPositive();
        check(worlds, players);
        for (int node = 0; node < NODES; node++) {
            assertThat(node(cluster, node).log.committedTick())
                    .isBetween(
                            node(cluster, node).ticks.lastRun(),
                            node(cluster, node).ticks.lastRun() + 20);
        }
    }

    /** From when another one may be elected, by the clocks of the nodes, which differ. */
    @ParameterizedTest
    @MethodSource("seeds")
    void aLeaderThatIsCutOffKnowsBeforeAnotherOneLeads(long seed) {
        ModelCluster cluster = new ModelCluster(NODES, seed);
        Player player = new Player(cluster, 1);
        for (int node = 0; node < NODES; node++) {
            cluster.start(node, 0, (answer, thrown) -> {});
        }
        int cutOffStep = 300 + cluster.number(700);
        Node leader = node(cluster, cluster.leader());
        for (int step = 0; step < cutOffStep; step++) {
            player.client.work();
            cluster.step();
            assertThat(step < 100 || leader.log.goesOn()).isTrue();
        }
        cluster.cutOffLeader();
        while (cluster.leader() < 0) {
            cluster.step();
        }
        assertThat(leader.log.goesOn()).isFalse();
        long committed = leader.log.committedTick();
        Node next = node(cluster, cluster.leader());
        while (!next.log.goesOn()) {
            cluster.step();
        }
        assertThat(leader.log.goesOn()).isFalse();
        assertThat(leader.log.committedTick()).as("it reads no further").isEqualTo(committed);
        for (int step = 0; step < 100; step++) {
            cluster.step();
        }
        assertThat(next.log.committedTick())
                .as("ticks go on without a message of a client, whatever the clock of the next leader says")
                .isGreaterThan(committed + 5);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aNodeThatIsTooSlowKnows(long seed) {
        ModelCluster cluster = new ModelCluster(NODES, seed);
        Player player = new Player(cluster, 1);
        for (int node = 0; node < NODES; node++) {
            cluster.start(node, 0, (answer, thrown) -> {});
        }
        for (int step = 0; step < STEPS + QUIET_STEPS; step++) {
            player.client.work();
            cluster.slow = step < QUIET_STEPS ? -1 : (cluster.leader() + 1) % NODES;
            cluster.step();
        }
        for (int node = 0; node < NODES; node++) {
            boolean isSlow = node == cluster.slow;
            assertThat(node(cluster, node).log.localDue.lagNanos() / 1_000_000)
                    .as("ms of node %d", node)
                    .isBetween(isSlow ? 2800L : 0L, isSlow ? 4400L : 50L);
        }
    }

    static LongStream seeds() {
        return Slice.current().seeds(60);
    }

    private static Node node(ModelCluster cluster, int number) {
        Node node = cluster.nodes[number];
        assertThat(node).isNotNull();
        return node;
    }

    private static void steer(ModelCluster cluster, ClusterClient client) {
        boolean taken = switch (cluster.number(4)) {
            case 0 -> client.offer(InputBatch.Request.PAUSE);
            case 1 -> client.offer(InputBatch.Request.STEP);
            case 2 -> client.offer(new TimeScale(1 + cluster.number(3), 2));
            default -> client.offer(InputBatch.Request.RESUME);
        };
        assertThat(taken).isTrue();
    }

    private static void check(List<RememberingWorld> worlds, List<Player> players) {
        RememberingWorld longest = worlds.get(worlds.size() - 1);
        assertThat(longest.hashes).hasSizeGreaterThan(QUIET_STEPS / 30);
        for (RememberingWorld world : worlds) {
            assertThat(longest.hashes.subList(0, Math.min(longest.hashes.size(), world.hashes.size())))
                    .isEqualTo(world.hashes.subList(0, Math.min(longest.hashes.size(), world.hashes.size())));
        }
        for (Player player : players) {
            assertThat(longest.commands.stream().filter(player::isOwn))
                    .as("commands of a client, each once and in their order")
                    .containsExactlyElementsOf(IntStream.rangeClosed(1, player.offered)
                            .mapToObj(number -> player.first + number)
                            .toList());
            assertThat(longest.events.stream().filter(player::isOwn))
                    .as("those of the events that did not happen while time stood still")
                    .isSorted()
                    .doesNotHaveDuplicates()
                    .isNotEmpty();
        }
    }
}
