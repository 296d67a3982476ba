package dev.escapement.cluster.aeron;

import static dev.escapement.cluster.aeron.ModelCluster.RUN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.logbuffer.Header;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CommittedLogTest {

    /** Of an interface, all of whose methods overflow the stack. */
    private static <T> T broken(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            throw new StackOverflowError(method.getName());
        }));
    }

    /** The first node tells what it runs. */
    @Test
    void aNodeOfAnotherRunIsRefused() {
        ModelCluster cluster = new ModelCluster(1, 1);
        cluster.start(0, 1, (answer, thrown) -> {});
        InputBatch others = new InputBatch(9);
        RunDescription run = new RunDescription("masses", "1", "", 8, TickRate.hertz(60));
        others.run(ClusterNode.of(0, List.of("localhost"), Path.of("none"), run)
                .sharedByAll(new RememberingWorld().commands().types()));
        UnsafeBuffer batch = new UnsafeBuffer(others.take(1));
        CommittedLog log = Objects.requireNonNull(cluster.nodes[0]).log;
        assertThatIllegalStateException()
                .isThrownBy(() -> log.onSessionMessage(
                        broken(ClientSession.class), 0, batch, 0, batch.capacity(), new Header(0, 0)))
                .withMessageContaining("this node runs masses 1, scene '', seed 7, 100 Hz, lead 7000000 ns")
                .withMessageContaining("but the cluster masses 1, scene '', seed 8, 60 Hz, lead 7000000 ns");
        assertThatIllegalStateException()
                .isThrownBy(() -> Objects.requireNonNull(cluster.nodes[0]).ticks.isReady())
                .withMessageContaining("seed 8");
    }

    /** Half a callback is worse than none: other nodes have all of it. */
    @Test
    void anErrorOfTheMachineEndsTheNode() {
        ManualClock clock = new ManualClock(0);
        ClusterNode node = ClusterNode.of(0, List.of("localhost"), Path.of("none"), RUN);
        CommittedTicks ticks = new CommittedTicks(node, 1, (answer, thrown) -> {});
        CommittedLog log = new CommittedLog(ticks, node, 1, new ClusterTime(clock, 0), clock, Long.MAX_VALUE);
        log.onStart(broken(Cluster.class), null);
        ticks.isReady();
        assertThatThrownBy(() -> log.onSessionOpen(broken(ClientSession.class), 0))
                .isInstanceOf(StackOverflowError.class)
                .hasMessage("scheduleTimer");
        assertThatIllegalStateException()
                .isThrownBy(ticks::isReady)
                .withMessageContaining("this node cannot follow the cluster any more")
                .withCauseInstanceOf(StackOverflowError.class);
    }

    /** And time can go on nevertheless. */
    @Test
    void commandsBeyondABoundAreRefusedWhileTimeStandsStill() {
        ModelCluster cluster = new ModelCluster(1, 1);
        List<String> told = new ArrayList<>();
        List<String> ran = new ArrayList<>();
        cluster.start(0, 1, new CommittedTicks.Answers() {
            @Override
            public void found(@Nullable String refusal) {
                if (refusal != null) {
                    told.add(refusal);
                }
            }

            @Override
            public void ran(@Nullable Answer<?> answer, @Nullable Throwable thrown) {
                ran.add(String.valueOf(thrown));
            }
        });
        ClusterClient client = new ClusterClient(1, cluster.clock, batch -> {}, cluster.connector());
        assertThat(client.offer(InputBatch.Request.PAUSE)).isTrue();
        run(cluster, client, 200);
        CommandData large = new CommandData(new CommandName("push", 1), new byte[60_000]); // which no reader takes
        for (int i = 0; i < 100; i++) {
            assertThat(client.offer(large, ModelCluster.IGNORED)).isTrue();
        }
        run(cluster, client, 5000);
        assertThat(told)
                .hasSize(100 - ReceivedBatches.MOST_COMMAND_BYTES / 60_100)
                .allMatch(
                        message -> message.contains("no more commands can wait for the next tick than 4194304 bytes"));
        RememberingWorld world = Objects.requireNonNull(cluster.nodes[0]).world;
        int before = world.hashes.size();
        assertThat(client.offer(InputBatch.Request.RESUME)).isTrue();
        run(cluster, client, 1000);
        assertThat(told.size() + ran.size()).isEqualTo(100);
        assertThat(world.hashes).hasSizeGreaterThan(before + 10);
    }

    private static void run(ModelCluster cluster, ClusterClient client, int steps) {
        for (int step = 0; step < steps; step++) {
            client.work();
            cluster.step();
        }
    }

    /** Otherwise it would only have another state one day. */
    @Test
    void aNodeWithoutAHandlerThatOthersHaveSaysWhich() {
        ModelCluster cluster = new ModelCluster(1, 1);
        cluster.start(0, 1, (answer, thrown) -> {});
        CommittedLog log = Objects.requireNonNull(cluster.nodes[0]).log;
        InputBatch others = new InputBatch(9);
        others.run(log.sharedByAll().replace("['load' version 1", "['jump' version 3, 'load' version 1"));
        UnsafeBuffer batch = new UnsafeBuffer(others.take(1));
        assertThatIllegalStateException()
                .isThrownBy(() -> log.onSessionMessage(
                        broken(ClientSession.class), 0, batch, 0, batch.capacity(), new Header(0, 0)))
                .withMessageContaining("this node has no handler for commands of type 'jump' version 3; start all");
    }

    /** It was offered while the client looked at its queues, a moment after these were read. */
    @Test
    void aClientHasNotSentWhatWaitsForItsTime() {
        ManualClock clock = new ManualClock(0);
        ClusterClient client = new ClusterClient(1, clock, batch -> {}, new ClusterClient.Connector() {
            @Override
            public ClusterClient.@Nullable Link poll(ClusterClient of) {
                return null;
            }

            @Override
            public void close() {}
        });
        assertThat(client.input().offer(clock.nanoTime() + 1, InputKind.KEY_DOWN, 1, 0, 0))
                .isTrue();
        client.work();
        assertThat(client.hasSentAll()).isFalse();
    }
}
