package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.time.ManualClock;
import dev.escapement.transport.aeron.AeronDriver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.LangUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClusterSenderTest {

    /** Throws what Agrona may throw: a checked exception that no method declares. */
    private static final class BrokenLink implements ClusterSender.Link {

        final CountDownLatch attempts = new CountDownLatch(3);

        @Override
        public boolean connect(ClusterSender client) {
            attempts.countDown();
            LangUtil.rethrowUnchecked(new IOException("no space left on device"));
            return false;
        }

        @Override
        public boolean isOpen() {
            return false;
        }

        @Override
        public void poll() {}

        @Override
        public boolean offer(DirectBuffer batch) {
            return false;
        }

        @Override
        public void close() {}
    }

    @Test
    void shouldContinueAfterACheckedException() throws InterruptedException {
        BrokenLink link = new BrokenLink();
        try (ClusterSender sender = ClusterSender.start(link)) {
            assertThat(link.attempts.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(sender.sender()).isZero();
        }
    }

    /** Otherwise it would look like a cluster without a leader. */
    @Test
    void shouldNameAHostThatIsUnknown() {
        ManualClock clock = new ManualClock(0);
        List<Throwable> errors = new ArrayList<>();
        try (AeronDriver driver = AeronDriver.embedded()) {
            AeronLink link = new AeronLink(
                    driver::newClientContext,
                    List.of("misspelt.invalid"),
                    ClusterNode.FIRST_PORT,
                    "localhost",
                    errors::add);
            ClusterSender client = new ClusterSender(
                    1, new PendingAnswers("none", false, PendingAnswers.TIMEOUT_NANOS, clock), clock, link);
            while (errors.isEmpty()) {
                assertThat(link.connect(client)).isFalse();
                Thread.onSpinWait();
            }
            link.close();
        }
        assertThat(errors)
                .singleElement()
                .satisfies(error -> assertThat(error).hasMessageContaining("misspelt.invalid"));
    }
}
