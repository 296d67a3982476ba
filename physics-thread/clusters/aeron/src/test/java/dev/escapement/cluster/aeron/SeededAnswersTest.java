package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.aeron.ModelCluster.Node;
import dev.escapement.cluster.aeron.RememberingWorld.Load;
import dev.escapement.physics.PushedMasses.Push;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.state.Slice;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What becomes of commands while nodes die, messages are lost and doubled, time stands still and more is offered than there is room for: each ran,
 * is refused, or is unknown, and that is true.
 */
class SeededAnswersTest {

    private static final int NODES = 3;
    private static final int STEPS = 3000;
    private static final int QUIET_STEPS = 3000;
    private static final int CUT_OFF_STEPS = 500;

    private record Asked(int number, CompletableFuture<?> future) {}

    /** A process that sends, of a node or not. */
    private final class Sender {
        final ClusterClient client;
        final PendingAnswers answers;

        Sender(long number, boolean isNode) {
            answers = new PendingAnswers("sender " + number, isNode, timeoutNanos, cluster.clock);
            client = new ClusterClient(number, cluster.clock, batch -> {}, cluster.connector());
        }

        void offer() {
            int number = ++commands;
            CommandData data = CommandData.of(Push.TYPE, new Push(0, number));
            if (cluster.happens(0.05)) {
                data = new CommandData(new CommandName("unhandled", 1), data.bytes());
            } else if (cluster.happens(0.1)) {
                data = CommandData.of(Load.TYPE, new Load(number));
            }
            CommandData offered = data;
            asked.add(new Asked(number, answers.await(outcome -> client.offer(offered, outcome))));
        }

        void work() {
            client.work();
            answers.expire();
        }
    }

    private ModelCluster cluster = new ModelCluster(1, 1);
    private long timeoutNanos;
    private int commands;
    private final List<Asked> asked = new ArrayList<>();
    private final List<Sender> senders = new ArrayList<>();
    private final @Nullable Sender[] ofNodes = new Sender[NODES];

    private void start(int node) {
        Sender sender = new Sender(1000L + senders.size(), true);
        senders.add(sender);
        ofNodes[node] = sender;
        cluster.start(node, 1000L + senders.size() - 1, sender.answers);
    }

    private void kill(int node, List<RememberingWorld> worlds) {
        Node dying = cluster.nodes[node];
        Sender sender = ofNodes[node];
        assertThat(dying).isNotNull();
        assertThat(sender).isNotNull();
        worlds.add(dying.world);
        sender.answers.end(null);
        ofNodes[node] = null;
        cluster.kill(node);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void eachCommandRanOrIsRefusedOrUnknown(long seed) throws Exception {
        cluster = new ModelCluster(NODES, seed);
        timeoutNanos = TimeUnit.SECONDS.toNanos(seed % 2 == 0 ? 30 : 1);
        List<Sender> players = List.of(new Sender(1, false), new Sender(2, false));
        senders.addAll(players);
        for (int node = 0; node < NODES; node++) {
            start(node);
        }
        List<RememberingWorld> worlds = new ArrayList<>();
        int dead = -1;
        for (int step = 0; step < STEPS + QUIET_STEPS + CUT_OFF_STEPS; step++) {
            boolean quiet = step >= STEPS;
            cluster.lost = step >= STEPS + QUIET_STEPS ? 1 : 0.05; // in the end nothing comes through, or no answer
            if (!quiet && cluster.happens(0.003)) {
                assertThat(players.get(0)
                                .client
                                .offer(cluster.happens(0.6) ? InputBatch.Request.PAUSE : InputBatch.Request.RESUME))
                        .isTrue();
            } else if (step == STEPS) {
                assertThat(players.get(0).client.offer(InputBatch.Request.RESUME))
                        .isTrue();
            }
            for (Sender sender : senders) {
                if (!sender.answers.hasEnded()) {
                    for (int i = cluster.happens(0.002) ? 60 : cluster.happens(0.1) ? 1 : 0; !quiet && i > 0; i--) {
                        sender.offer();
                    }
                    if (step == STEPS + QUIET_STEPS - 5) {
                        sender.offer();
                    }
                    sender.work();
                }
            }
            if (cluster.happens(0.0005)) {
                cluster.save();
            }
            if (dead < 0 && !quiet && cluster.happens(0.002)) {
                dead = cluster.happens(0.5) && cluster.leader() >= 0 ? cluster.leader() : cluster.number(NODES);
                kill(dead, worlds);
            } else if (dead >= 0 && (quiet || cluster.happens(0.003))) {
                start(dead);
                dead = -1;
            }
            cluster.step();
        }
        cluster.clock.advance(timeoutNanos + TimeUnit.SECONDS.toNanos(1));
        senders.forEach(sender -> sender.answers.expire());
        for (Node node : cluster.nodes) {
            assertThat(node).isNotNull();
            worlds.add(node.world);
        }
        check(worlds);
        senders.forEach(sender -> sender.answers.end(null));
    }

    private void check(List<RememberingWorld> worlds) throws Exception {
        List<Integer> ran = worlds.get(worlds.size() - 1).commands;
        assertThat(ran).doesNotHaveDuplicates();
        Set<Integer> ranOnce = new HashSet<>(ran);
        Set<Integer> ranAnywhere = new HashSet<>();
        worlds.forEach(world -> ranAnywhere.addAll(world.commands));
        int refused = 0;
        int unknown = 0;
        for (Asked command : asked) {
            try {
                command.future.get(10, TimeUnit.SECONDS);
                assertThat(ranOnce.contains(command.number))
                        .as("command %d ran", command.number)
                        .isTrue();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof RejectedExecutionException) {
                    refused++;
                    assertThat(ranAnywhere.contains(command.number))
                            .as("command %d was refused", command.number)
                            .isFalse();
                } else {
                    assertThat(e).hasCauseInstanceOf(TimeoutException.class);
                    unknown++;
                }
            }
        }
        assertThat(refused).isPositive();
        assertThat(unknown).isLessThan(asked.size() / 2);
        assertThat(ran).hasSizeGreaterThan(asked.size() / 3);
    }

    static LongStream seeds() {
        return Slice.current().seeds(12);
    }
}
