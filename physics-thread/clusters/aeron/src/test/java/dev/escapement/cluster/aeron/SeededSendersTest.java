package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.aeron.ModelCluster.Node;
import dev.escapement.state.Slice;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two to eight players of a cluster, who come, leave, die, and stand still, while leaders die: each event is of the player that offered it,
 * and a failover changes no player's number. The worlds check the levels of each tick. A seed that fails once always fails.
 */
class SeededSendersTest {

    private static final int NODES = 3;
    private static final int STEPS = 4000;

    /** Longer than a session and the return of its client last. */
    private static final int LAST_STEPS = 6500;

    private static final int KEYS = 6;

    private final class Player {
        final int number;
        final PendingAnswers answers;
        final ClusterSender client;

        /** All numbers that the cluster has given it. */
        final Set<Integer> senders = new HashSet<>();

        int offered;
        boolean gone;
        boolean stoodStill;
        int standsStillSteps;

        Player(int number) {
            this.number = number;
            answers = new PendingAnswers("player " + number, false, Long.MAX_VALUE, cluster.clock);
            client = cluster.client(number, answers);
            client.join();
        }

        void step(boolean plays) {
            if (standsStillSteps > 0) {
                standsStillSteps--;
                return;
            }
            if (plays && cluster.happens(0.1)) {
                offer(InputKind.APPLICATION, RememberingWorld.OF_A_CLIENT * number + ++offered);
            }
            if (plays && cluster.happens(0.05)) {
                offer(cluster.happens(0.5) ? InputKind.KEY_DOWN : InputKind.KEY_UP, cluster.number(KEYS));
            }
            client.work();
            if (client.sender() != 0) {
                senders.add(client.sender());
            }
        }

        private void offer(InputKind kind, int code) {
            client.input().offer(cluster.clock.nanoTime(), kind, code, 0, 0);
        }
    }

    private ModelCluster cluster = new ModelCluster(1, 1);
    private final List<Player> players = new ArrayList<>();
    private final List<RememberingWorld> worlds = new ArrayList<>();

    static LongStream seeds() {
        return System.getenv("SLICE") == null
                ? LongStream.rangeClosed(1, 12)
                : Slice.current().seeds(500);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldKnowWhoSentEachEventAndHoldsWhat(long seed) {
        cluster = new ModelCluster(NODES, seed);
        boolean pauses = seed % 3 == 0;
        int most = 2 + cluster.number(7);
        for (int node = 0; node < NODES; node++) {
            start(node, pauses);
        }
        int dead = -1;
        int failovers = 0;
        for (int step = 0; step < STEPS; step++) {
            cluster.lost = 0.03;
            long playing = players.stream().filter(player -> !player.gone).count();
            if (playing < most && cluster.happens(0.005)) {
                players.add(new Player(players.size() + 1));
            }
            for (Player player : players) {
                if (!player.gone) {
                    player.step(true);
                    surprise(player);
                }
            }
            if (pauses && cluster.happens(0.003) && !players.isEmpty()) {
                Batch.Request request = cluster.happens(0.5) ? Batch.Request.PAUSE : Batch.Request.RESUME;
                players.get(0).client.offer(batch -> batch.time(request));
            }
            if (cluster.happens(0.0005)) {
                cluster.save();
            }
            int leader = cluster.leader();
            boolean isDue = step >= STEPS / 2 && failovers == 0 && leader >= 0; // while they play
            if (dead < 0 && (isDue || cluster.happens(0.002))) {
                dead = leader >= 0 && (isDue || cluster.happens(0.6)) ? leader : cluster.number(NODES);
                failovers += dead == leader ? 1 : 0;
                worlds.add(node(dead).world);
                cluster.kill(dead);
            } else if (dead >= 0 && cluster.happens(0.003)) {
                start(dead, pauses);
                dead = -1;
            }
            cluster.step();
        }
        assertThat(failovers).isPositive();
        if (dead >= 0) {
            start(dead, pauses);
        }
        cluster.lost = 0;
        Player last = new Player(players.size() + 1); // who stays
        players.add(last);
        for (int step = 0; step < LAST_STEPS; step++) {
            if (step == LAST_STEPS / 10) {
                players.stream().filter(player -> player != last).forEach(this::leave);
            } else if (step == LAST_STEPS / 5) { // after any request to pause
                last.client.offer(batch -> batch.time(Batch.Request.RESUME));
            }
            players.stream().filter(player -> !player.gone).forEach(player -> player.step(false));
            cluster.step();
        }
        for (int node = 0; node < NODES; node++) {
            worlds.add(node(node).world);
            assertThat(node(node).world.held.keySet())
                    .as("who is gone has left, and holds nothing")
                    .isEqualTo(last.senders);
        }
        check();
    }

    @Test
    void shouldIgnoreTheOneTooManyUntilAnotherLeaves() {
        cluster = new ModelCluster(1, 1);
        cluster.lost = 0;
        start(0, false);
        Player first = new Player(1);
        run(500, first);
        assertThat(first.senders).containsExactly(1);
        cluster.joinOthers(InputFrame.MAX_SENDERS - 1);
        run(2000, first); // a node takes a few in a tick
        Player tooMany = new Player(2);
        tooMany.offer(InputKind.KEY_DOWN, 1);
        run(100, first, tooMany);
        assertThat(tooMany.client.sender()).isZero();
        assertThat(node(0).world.held).hasSize(InputFrame.MAX_SENDERS);
        leave(first);
        run(100, tooMany);
        tooMany.offer(InputKind.KEY_DOWN, 2);
        run(100, tooMany);
        assertThat(tooMany.client.sender()).isEqualTo(InputFrame.MAX_SENDERS + 1);
        assertThat(node(0).world.held.get(InputFrame.MAX_SENDERS + 1))
                .as("not what was refused")
                .containsExactly(2);
    }

    private void run(int steps, Player... with) {
        for (int step = 0; step < steps; step++) {
            for (Player player : with) {
                player.step(false);
            }
            cluster.step();
        }
    }

    private void surprise(Player player) {
        if (cluster.happens(0.0005)) {
            leave(player);
        } else if (cluster.happens(0.0003)) {
            player.gone = true; // it dies
        } else if (cluster.happens(0.0003)) {
            player.stoodStill = true;
            player.standsStillSteps = cluster.number(LAST_STEPS);
        }
    }

    private void leave(Player player) {
        if (!player.gone) {
            player.client.leave();
            player.gone = true;
        }
    }

    private void check() {
        RememberingWorld longest = worlds.get(worlds.size() - 1);
        for (RememberingWorld world : worlds) {
            int both = Math.min(longest.hashes.size(), world.hashes.size());
            assertThat(longest.hashes.subList(0, both)).isEqualTo(world.hashes.subList(0, both));
        }
        Map<Integer, Integer> owners = new HashMap<>();
        for (Player player : players) {
            for (int sender : player.senders) {
                assertThat(owners.put(sender, player.number))
                        .as("sender %d", sender)
                        .isNull();
            }
            if (!player.stoodStill) {
                assertThat(player.senders)
                        .as("numbers of player %d", player.number)
                        .hasSizeLessThan(2);
            }
        }
        if (longest.levelsAreOfEvents) { // otherwise it may be paused from the first tick on, and take no events
            assertThat(longest.clients).isNotEmpty();
        }
        longest.clients.forEach((sender, client) -> {
            Player player = players.get(client - 1);
            if (!player.senders.isEmpty() && !player.stoodStill) { // others may have died before they heard it
                assertThat(player.senders).as("numbers of player %d", client).contains(sender);
            }
        });
    }

    private void start(int number, boolean pauses) {
        cluster.start(number).world.levelsAreOfEvents = !pauses;
    }

    private Node node(int number) {
        return Objects.requireNonNull(cluster.nodes[number]);
    }
}
