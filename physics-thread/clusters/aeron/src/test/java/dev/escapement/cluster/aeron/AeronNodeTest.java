package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.thread.ThreadEnd;
import dev.escapement.state.time.NanoClock;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AeronNodeTest {

    /** Reads no log: it waits, whatever interrupts it. */
    private static final class StuckService implements ClusteredService {

        final CountDownLatch reached = new CountDownLatch(1);
        final CountDownLatch release = new CountDownLatch(1);

        @Override
        public void onStart(Cluster cluster, @Nullable Image snapshot) {
            reached.countDown();
            ThreadEnd.await(release, Long.MAX_VALUE / 2);
        }

        @Override
        public void onSessionOpen(ClientSession session, long timestamp) {}

        @Override
        public void onSessionClose(ClientSession session, long timestamp, CloseReason reason) {}

        @Override
        public void onSessionMessage(
                ClientSession session, long timestamp, DirectBuffer buffer, int offset, int length, Header header) {}

        @Override
        public void onTimerEvent(long correlationId, long timestamp) {}

        @Override
        public void onTakeSnapshot(ExclusivePublication snapshot) {}

        @Override
        public void onRoleChange(Cluster.Role newRole) {}

        @Override
        public void onTerminate(Cluster cluster) {}
    }

    @TempDir
    private Path folder;

    /** Aeron waits for its threads for ever. */
    @Test
    void closingEndsAlsoIfAThreadDoesNot() throws InterruptedException {
        StuckService stuck = new StuckService();
        Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
        NanoClock clock = NanoClock.system();
        AeronNode node = new AeronNode(
                ClusterNode.of(0, List.of("localhost"), folder, ModelCluster.RUN),
                false,
                0,
                new ClusterTime(clock, 0),
                stuck,
                errors::add);
        try {
            assertThat(stuck.reached.await(30, TimeUnit.SECONDS)).isTrue();
            node.close();
            assertThat(errors)
                    .anySatisfy(error -> assertThat(error)
                            .hasMessageContaining("node 0 does not end; " + folder + " cannot be used again"));
        } finally {
            stuck.release.countDown();
            node.close();
        }
    }
}
