package dev.escapement.bench.run;

import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import dev.escapement.state.wire.udp.Access;
import dev.escapement.state.wire.udp.Endpoint;
import dev.escapement.state.wire.udp.Limits;
import dev.escapement.state.wire.udp.UdpAddress;
import dev.escapement.state.wire.udp.UdpLoop;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.Consumer;

/**
 * Where other processes of this machine see and push the worlds of a run: 'escapement watch ADDRESS'.
 *
 * @param address of this machine
 * @param say     is told where a world is served
 */
record Serving(UdpAddress address, Consumer<String> say) {

    /** What both sides call the world. */
    static final String WORLD = "escapement";

    private static final List<String> LOCAL_HOSTS = List.of("127.0.0.1", "localhost", "::1");

    private static final WireFormat FORMAT = WireFormat.rounded(0.001f, 0.003f);

    /**
     * Serves at an address.
     *
     * @throws IllegalArgumentException if it is none of this machine, or another program has it
     */
    static Serving at(String option, String text, Consumer<String> say) {
        UdpAddress address = localAddress(option, text);
        if (address.isMulticast()) {
            return new Serving(address, say);
        }
        try (DatagramSocket free = new DatagramSocket(new InetSocketAddress(address.host(), address.port()))) {
            return new Serving(new UdpAddress(address.host(), free.getLocalPort()), say);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    option + " " + text + ": " + e.getMessage() + "; choose another port, or 0 for any that is free",
                    e);
        }
    }

    /**
     * Reads an address of this machine.
     *
     * @throws IllegalArgumentException if it is none; other machines need a key, which no command line should show
     */
    static UdpAddress localAddress(String option, String text) {
        UdpAddress address = UdpAddress.parse(text);
        if (!LOCAL_HOSTS.contains(address.host()) && !address.isMulticast()) {
            throw new IllegalArgumentException(option + " " + text
                    + " is not on this machine; commands serve and watch at " + String.join(", ", LOCAL_HOSTS)
                    + " and multicast groups only. Programs with a key reach farther: see UdpLoop");
        }
        return address;
    }

    /** Serves a world that has started, by one of its readers. */
    UdpLoop<? extends Endpoint> start(PhysicsService physics) {
        SnapshotSender sender = new SnapshotSender(physics.newReader(), FORMAT, new SecureRandom().nextInt());
        NanoClock clock = NanoClock.system();
        UdpLoop<? extends Endpoint> server = address.isMulticast()
                ? UdpLoop.broadcast(address, WORLD, Access.thisMachine(), sender, clock)
                : UdpLoop.server(address, WORLD, Access.thisMachine(), sender, physics.input(), Limits.DEFAULT, clock);
        UdpAddress where = address.isMulticast() ? address : server.address();
        say.accept("Served at " + where + "; see it with: escapement watch " + where);
        return server;
    }
}
