package dev.escapement.state.wire.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Timeline;
import dev.escapement.state.time.Waiting;
import dev.escapement.state.wire.ReceiverFigure;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A multicast group of this machine. */
@Timeout(60)
class UdpGroupTest {

    private static final Access KEY = EndpointFixture.KEY;

    private final NanoClock clock = NanoClock.system();
    private final InetSocketAddress group = freeGroup();

    /** A group with a free port. Where the system has no multicast on its loopback interface, there is nothing to test. */
    private static InetSocketAddress freeGroup() {
        InetAddress group = new InetSocketAddress("239.255.20.121", 0).getAddress();
        try (MulticastSocket probe = new MulticastSocket(0)) {
            NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
            probe.setNetworkInterface(loopback);
            probe.setTimeToLive(0);
            probe.setSoTimeout(2000);
            probe.joinGroup(new InetSocketAddress(group, 0), loopback);
            probe.send(new DatagramPacket(new byte[1], 1, group, probe.getLocalPort()));
            probe.receive(new DatagramPacket(new byte[1], 1));
            return new InetSocketAddress(group, probe.getLocalPort());
        } catch (IOException noMulticast) {
            return Assumptions.abort("no multicast on loopback: " + noMulticast);
        }
    }

    private UdpLoop<Endpoint> send(int streamId) {
        SnapshotExchange exchange = EndpointFixture.newExchange();
        Timeline timeline = new Timeline(EndpointFixture.RATE);
        timeline.start(clock.nanoTime());
        for (int tick = 1; tick <= 3; tick++) {
            Snapshot next = exchange.writer().nextSnapshot();
            next.startTick(tick, timeline.dueNanos(tick));
            next.bodyBlock(0).spawn(0, 1, 1, 7);
            next.seal();
            exchange.writer().publish(timeline, timeline.dueNanos(tick));
        }
        timeline.pause(3);
        exchange.writer().publishAgain(timeline);
        SnapshotSender sender = new SnapshotSender(exchange.attach(), WireFormat.EXACT, streamId);
        return UdpLoop.broadcast(group, "marbles", KEY, sender, clock);
    }

    private UdpLoop<Endpoint> listen(String world, Access access, SnapshotReceiver receiver) {
        return UdpLoop.listen(group, world, access, receiver, clock);
    }

    private static void await(BooleanSupplier reached) {
        while (!reached.getAsBoolean()) {
            assertThat(Thread.currentThread().isInterrupted()).as("timed out").isFalse();
            Waiting.system().park(100_000);
        }
    }

    @Test
    void shouldReachAllWhoListenAndAgainAfterARestart() {
        SnapshotReceiver first = EndpointFixture.receiver(clock);
        SnapshotReceiver second = EndpointFixture.receiver(clock);
        try (UdpLoop<Endpoint> one = listen("marbles", KEY, first);
                UdpLoop<Endpoint> two = listen("marbles", KEY, second)) {
            try (UdpLoop<Endpoint> sender = send(1)) {
                await(() -> first.figure(ReceiverFigure.TICKS) >= 3 && second.figure(ReceiverFigure.TICKS) >= 3);
                assertThat(sender.failure()).isEmpty();
            }
            try (UdpLoop<Endpoint> again = send(2)) {
                await(() -> first.figure(ReceiverFigure.STREAMS) == 2 && second.figure(ReceiverFigure.STREAMS) == 2);
                assertThat(again.failure()).isEmpty();
            }
            assertThat(one.failure()).isEmpty();
            assertThat(two.failure()).isEmpty();
        }
    }

    @Test
    void shouldBelieveOnlyWhoHasTheKeyAndTheWorld() {
        SnapshotReceiver stranger = EndpointFixture.receiver(clock);
        SnapshotReceiver elsewhere = EndpointFixture.receiver(clock);
        try (UdpLoop<Endpoint> other = listen("marbles", EndpointFixture.OTHER_KEY, stranger);
                UdpLoop<Endpoint> world = listen("chess", KEY, elsewhere);
                UdpLoop<Endpoint> sender = send(1)) {
            await(() -> other.endpoint().count(Traffic.FORGED) > 3
                    && world.endpoint().count(Traffic.FORGED) > 3);
            assertThat(stranger.isReady()).isFalse();
            assertThat(elsewhere.isReady()).isFalse();
            assertThat(sender.failure()).isEmpty();
        }
    }

    @Test
    void shouldRefuseWhatIsNoGroup() {
        for (InetSocketAddress address : new InetSocketAddress[] {
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 20121), new InetSocketAddress("239.255.20.121", 0)
        }) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> UdpLoop.listen(address, "marbles", KEY, EndpointFixture.receiver(clock), clock))
                    .withMessage(
                            address + " is no multicast group with a port; take one such as" + " 239.255.20.121:20121");
        }
    }
}
