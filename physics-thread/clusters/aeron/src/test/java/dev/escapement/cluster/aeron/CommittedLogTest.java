package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.state.time.ManualClock;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommittedLogTest {

    /** Of an interface, all of whose methods overflow the stack. */
    private static <T> T broken(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            throw new StackOverflowError(method.getName());
        }));
    }

    /** Half a callback is worse than none: other nodes have all of it. */
    @Test
    void anErrorOfTheMachineEndsTheNode() {
        ManualClock clock = new ManualClock(0);
        ClusterNode node = ClusterNode.of(0, List.of("localhost"), Path.of("none"));
        CommittedTicks ticks = new CommittedTicks(node.rate(), node.leadNanos(), 1, (answer, thrown) -> {});
        CommittedLog log = new CommittedLog(ticks, node, 1, new ClusterTime(clock, 0), clock);
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
}
