package dev.escapement.bench.run;

import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.ReceiverFigure;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.udp.Access;
import dev.escapement.state.wire.udp.ClientEndpoint;
import dev.escapement.state.wire.udp.Endpoint;
import dev.escapement.state.wire.udp.Limits;
import dev.escapement.state.wire.udp.Traffic;
import dev.escapement.state.wire.udp.UdpLoop;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Worlds over UDP, at an address of this machine. */
final class UdpWorld {

    /** What both sides call the world. */
    static final String WORLD = "escapement";

    private static final List<String> LOCAL_HOSTS = List.of("127.0.0.1", "localhost", "::1");

    /** A host, in brackets if it has colons; a port. */
    private static final Pattern WRITTEN = Pattern.compile("udp:(?:\\[([0-9a-fA-F:.]+)]|([\\w.-]+)):(\\d{1,5})");

    /** No name: what is looked up may take long, and be anywhere. */
    private static final Pattern NUMBERS = Pattern.compile("\\d+\\.\\d+\\.\\d+\\.\\d+|.*:.*");

    private UdpWorld() {}

    /**
     * Reads an address at which a world is to be served.
     *
     * @return with the port that is free
     * @throws IllegalArgumentException if it is none of this machine, or another program has it
     */
    static InetSocketAddress freeAddress(String option, String text) {
        InetSocketAddress address = localAddress(option, text);
        if (address.getAddress().isMulticastAddress()) {
            return address;
        }
        try (DatagramSocket free = new DatagramSocket(address)) {
            return new InetSocketAddress(address.getAddress(), free.getLocalPort());
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    option + " " + text + ": " + e.getMessage() + "; choose another port, or 0 for any that is free",
                    e);
        }
    }

    /**
     * Reads an address of this machine, such as udp:127.0.0.1:20121.
     *
     * @throws IllegalArgumentException if it is none; other machines need a key, which no command line should show
     */
    static InetSocketAddress localAddress(String option, String text) {
        Matcher parts = WRITTEN.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(option + ": an address is written udp:host:port, such as"
                    + " udp:127.0.0.1:20121 or udp:[::1]:20121, but not '" + text + "'");
        }
        String host = parts.group(1) != null ? parts.group(1) : parts.group(2);
        if (LOCAL_HOSTS.contains(host) || NUMBERS.matcher(host).matches()) {
            InetSocketAddress address = new InetSocketAddress(host, Integer.parseInt(parts.group(3)));
            InetAddress machine = address.getAddress();
            if (machine != null && (machine.isLoopbackAddress() || machine.isMulticastAddress())) {
                return address;
            }
        }
        throw new IllegalArgumentException(option + " " + text
                + " is not on this machine; commands serve and watch at " + String.join(", ", LOCAL_HOSTS)
                + " and multicast groups only. Programs with a key reach farther: see UdpLoop");
    }

    /** As {@link #localAddress} reads it. */
    private static String written(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return "udp:" + (address.getAddress() instanceof Inet6Address ? "[" + host + "]" : host) + ":"
                + address.getPort();
    }

    /** Serves at an address, and tells where. */
    static Link serve(InetSocketAddress address, SnapshotSender sender, InputRing input, Consumer<String> say) {
        NanoClock clock = NanoClock.system();
        boolean isGroup = address.getAddress().isMulticastAddress();
        UdpLoop<? extends Endpoint> server = isGroup
                ? UdpLoop.broadcast(address, WORLD, Access.thisMachine(), sender, clock)
                : UdpLoop.server(address, WORLD, Access.thisMachine(), sender, input, Limits.DEFAULT, clock);
        String where = written(isGroup ? address : server.address());
        say.accept("Served at " + where + "; see it with: escapement watch " + where);
        return new Loop(server, sender::clampedBodies);
    }

    /** Receives the world that is served at an address. */
    static Link watch(InetSocketAddress server, SnapshotReceiver receiver) {
        return new Loop(
                server.getAddress().isMulticastAddress()
                        ? UdpLoop.listen(server, WORLD, Access.thisMachine(), receiver, NanoClock.system())
                        : UdpLoop.client(server, WORLD, Access.thisMachine(), receiver, NanoClock.system()),
                () -> receiver.figure(ReceiverFigure.CLAMPED_BODIES));
    }

    /** Either side, and how many bodies are too far away for it. */
    private record Loop(UdpLoop<? extends Endpoint> loop, LongSupplier clampedBodies) implements Link {

        @Override
        public Optional<Throwable> failure() {
            return loop.failure();
        }

        @Override
        public InputRing input() {
            return loop.endpoint() instanceof ClientEndpoint client ? client.inputs() : Link.super.input();
        }

        @Override
        public String refusal() {
            return loop.endpoint() instanceof ClientEndpoint client
                    ? client.refusal().map(why -> ": it refuses, " + why).orElse("")
                    : "";
        }

        @Override
        public long bytes() {
            return loop.endpoint().count(Traffic.BYTES_IN);
        }

        @Override
        public long packets() {
            return loop.endpoint().count(Traffic.PACKETS_IN);
        }

        @Override
        public Map<String, Long> counts() {
            return Map.of("clamped-bodies", clampedBodies.getAsLong());
        }

        @Override
        public void close() {
            loop.close();
        }
    }
}
