package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.PushedMasses.Push;
import dev.escapement.state.Await;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.transport.aeron.AeronDriver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.agrona.DirectBuffer;
import org.agrona.LangUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClusterSenderTest {

    /** A link to a leader that acknowledges each batch. */
    private static class OpenLink implements ClusterSender.Link {

        final List<Batch> received = new ArrayList<>();
        private @Nullable ClusterSender client;

        @Override
        public boolean connect(ClusterSender connecting) {
            client = connecting;
            return true;
        }

        @Override
        public boolean isOpen() {
            return client != null;
        }

        @Override
        public void poll() {
            UnsafeBuffer acknowledgement = new UnsafeBuffer(new byte[Batch.Acknowledgement.BYTES]);
            for (Batch batch : received) {
                Batch.Acknowledgement.write(acknowledgement, batch, 1, true, type -> true);
                Objects.requireNonNull(client).acknowledged(acknowledgement, 0);
            }
        }

        @Override
        public boolean offer(DirectBuffer batch) {
            byte[] bytes = new byte[batch.capacity()];
            batch.getBytes(0, bytes);
            return received.add(Batch.of(bytes));
        }

        @Override
        public void close() {
            client = null;
        }
    }

    @Test
    void shouldSendWhatItAcceptedBeforeItWasClosed() {
        for (int i = 0; i < 20; i++) {
            OpenLink link = new OpenLink();
            try (ClusterSender sender = ClusterSender.start(link)) {
                assertThat(sender.input().offer(System.nanoTime(), InputKind.KEY_DOWN, 1, 0, 0))
                        .isTrue();
            }
            assertThat(link.received.stream().flatMap(batch -> batch.entries().stream()))
                    .hasSize(1);
            assertThat(link.received).last().extracting(Batch::role).isEqualTo(Batch.LEAVES);
        }
    }

    @Test
    void shouldAnswerCommandsAlsoIfItsThreadDies() {
        OpenLink link = new OpenLink() {
            @Override
            public boolean offer(DirectBuffer batch) {
                throw new StackOverflowError("of a test");
            }
        };
        try (ClusterSender sender = ClusterSender.start(link)) {
            assertThat(sender.command(Push.TYPE, new Push(3, 5)))
                    .failsWithin(10, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .withCauseInstanceOf(TimeoutException.class);
        }
        assertThat(link.isOpen()).isFalse();
    }

    @Test
    void shouldContinueAfterACheckedException() throws InterruptedException {
        CountDownLatch attempts = new CountDownLatch(3);
        OpenLink link = new OpenLink() {
            @Override
            public boolean connect(ClusterSender connecting) {
                attempts.countDown();
                LangUtil.rethrowUnchecked(new IOException("no space left on device"));
                return false;
            }
        };
        try (ClusterSender sender = ClusterSender.start(link)) {
            assertThat(attempts.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(sender.sender()).isZero();
        }
    }

    /** A sender reports an unknown host, which would otherwise look like a cluster without a leader. */
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
            Await.until(() -> {
                assertThat(link.connect(client)).isFalse();
                return !errors.isEmpty();
            });
            link.close();
        }
        assertThat(errors)
                .singleElement()
                .satisfies(error -> assertThat(error).hasMessageContaining("misspelt.invalid"));
    }
}
