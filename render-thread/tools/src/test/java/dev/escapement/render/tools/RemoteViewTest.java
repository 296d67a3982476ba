package dev.escapement.render.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.render.FrameView;
import dev.escapement.render.PublishedWorld;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SenderSession;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.joml.Vector3f;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A world that is sent to a viewer, with outages, on a manual clock. */
class RemoteViewTest {

    private static final long STEP_NANOS = 1_000_000;

    private final ManualClock clock = new ManualClock(0);
    private final PublishedWorld world = new PublishedWorld(3, tick -> 1_000_000);
    private final Wire wire = new Wire();
    private final RemoteView<SnapshotReceiver, Wire> remote =
            RemoteView.open(clock, new SnapshotReceiver(ReceiverSettings.DEFAULT, clock), wire::to);
    private final List<String> said = new ArrayList<>();
    private boolean comes = true;

    /** A stream that carries all packets immediately, or none. */
    private final class Wire implements AutoCloseable {

        private final SnapshotSender sender = new SnapshotSender(world.newReader(), new WireFormat(0.001f, 0.003f), 1);
        private final SenderSession session = sender.newReceiver(InetSocketAddress.createUnresolved("viewer", 1));
        private final ByteBuffer packet = ByteBuffer.allocate(2048);
        private @Nullable SnapshotReceiver receiver;
        private @Nullable IOException failure;
        private boolean isClosed;

        Wire to(SnapshotReceiver given) {
            receiver = given;
            return this;
        }

        void run(long nanos) {
            SnapshotReceiver to = Objects.requireNonNull(receiver);
            world.runUntil(nanos);
            sender.run(nanos);
            while (session.write(packet.clear(), nanos)) {
                if (comes) {
                    to.packet(packet.flip(), nanos);
                }
            }
            to.run(nanos);
            if (comes) {
                to.writeFeedback(packet.clear());
                session.feedback(packet.flip(), nanos);
            }
        }

        @Override
        public void close() throws IOException {
            isClosed = true;
            if (failure != null) {
                throw failure;
            }
        }
    }

    private void run(double seconds) {
        for (long nanos = 0; nanos < seconds * 1e9; nanos += STEP_NANOS) {
            clock.advance(STEP_NANOS);
            wire.run(clock.nanoTime());
            remote.look().ifPresent(said::add);
        }
    }

    private void runSilent(double seconds) {
        comes = false;
        run(seconds);
        comes = true;
    }

    @Test
    void shouldMakeFramesOnceTheWorldIsKnown() {
        runSilent(3);
        assertThat(remote.view()).isNull();
        assertThat(remote.frame()).isNull();
        assertThat(said).as("there is no world yet").isEmpty();
        run(1);
        FrameView frame = Objects.requireNonNull(remote.frame());
        assertThat(frame).isSameAs(remote.view());
        assertThat(frame.positionOfSlot(0, new Vector3f()).x)
                .as("metres are ticks")
                .isBetween(390f, 400f);
        run(0.1);
        assertThat(remote.frame()).isSameAs(frame);
        assertThat(frame.positionOfSlot(0, new Vector3f()).x).isBetween(400f, 410f);
    }

    @Test
    void shouldReportASilenceWhileItLasts() {
        run(2);
        runSilent(0.9);
        run(1);
        assertThat(said).as("late packets").isEmpty();
        runSilent(1.5);
        assertThat(said).containsExactly("Nothing has come for 1 s: the picture stands still.");
        runSilent(3);
        assertThat(remote.frame()).as("the last picture stays").isNotNull();
        run(1);
        assertThat(said)
                .containsExactly(
                        "Nothing has come for 1 s: the picture stands still.",
                        "Nothing has come for 2 s: the picture stands still.",
                        "Nothing has come for 4 s: the picture stands still.",
                        "Packets come again, after 4.5 s.");
    }

    @Test
    void shouldReportOnceWhyNothingComes() {
        runSilent(1);
        remote.receiver().unanswered("no server answers");
        runSilent(3);
        assertThat(said).containsExactly("Nothing new is shown: no server answers.");
        remote.receiver().unanswered(null);
        run(2);
        assertThat(said).hasSize(1);
        remote.receiver().unanswered("no server answers");
        runSilent(0.5);
        assertThat(said).hasSize(2);
    }

    @Test
    void shouldCloseTheStreamAndTheView() {
        run(1);
        FrameView frame = Objects.requireNonNull(remote.frame());
        remote.close();
        assertThat(wire.isClosed).isTrue();
        assertThat(frame.poses().slotCount()).as("of the last frame").isEqualTo(1);
        assertThatIllegalStateException().isThrownBy(remote::frame).withMessageContaining("was detached");
        wire.failure = new IOException("disk full");
        assertThatIllegalStateException()
                .isThrownBy(remote::close)
                .withMessage("the stream cannot be closed: disk full");
    }
}
