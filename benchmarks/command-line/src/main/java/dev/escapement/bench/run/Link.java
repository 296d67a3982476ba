package dev.escapement.bench.run;

import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.ReceiverMetric;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import dev.escapement.state.wire.udp.ClientEndpoint;
import dev.escapement.state.wire.udp.Limits;
import dev.escapement.state.wire.udp.ServerEndpoint;
import dev.escapement.state.wire.udp.Traffic;
import dev.escapement.state.wire.udp.UdpLoop;
import dev.escapement.transport.aeron.AeronDriver;
import dev.escapement.transport.aeron.AeronReceiver;
import dev.escapement.transport.aeron.AeronSender;
import dev.escapement.transport.aeron.AeronStream;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.jspecify.annotations.Nullable;

/**
 * The local side of a snapshot stream between two processes, over UDP or an Aeron channel. The other side is a 'run --serve' or an
 * 'escapement watch ADDRESS'. Any thread may use it.
 *
 * @param failure the failure that ended the stream; empty while there is none
 * @param input   accepts input for the served world; a server that accepts no input drops it
 * @param refusal why the server refuses this client; empty if it accepts the client
 * @param latencyMicros the latencies of packets since the last call; null if the transport does not report them
 */
record Link(
        Supplier<Optional<Throwable>> failure,
        Supplier<Map<String, Long>> counts,
        LongSupplier bytes,
        LongSupplier packets,
        InputRing input,
        Supplier<Optional<ClientEndpoint.Refusal>> refusal,
        Supplier<@Nullable Summary> latencyMicros,
        Runnable end)
        implements AutoCloseable {

    /** The name under which a run serves its world over UDP; a client must ask for the same name. */
    static final String WORLD = "escapement";

    private static final NanoClock CLOCK = NanoClock.system();

    private Link(
            UdpLoop<?> loop,
            Supplier<Map<String, Long>> counts,
            InputRing input,
            Supplier<Optional<ClientEndpoint.Refusal>> refusal) {
        this(
                loop::failure,
                counts,
                () -> loop.endpoint().count(Traffic.BYTES_IN),
                () -> loop.endpoint().count(Traffic.PACKETS_IN),
                input,
                refusal,
                () -> null,
                loop::close);
    }

    private Link(AeronStream stream, @Nullable AeronDriver driver) {
        this(
                stream::failure,
                stream::counts,
                stream::bytes,
                stream::packets,
                new InputRing(2, CLOCK),
                Optional::empty,
                () -> stream instanceof AeronReceiver receiver ? Summary.of(receiver.latencyNanos()) : null,
                () -> CloseHelper.quietCloseAll(stream, driver));
    }

    /**
     * Parses the address at which a run serves its world.
     *
     * @return a function that serves the world of a started service, and takes one of its readers for that
     * @throws IllegalArgumentException if the text is no address, or another program uses the address
     */
    static Function<PhysicsService, Link> serving(StreamOptions options, String address, Consumer<String> say) {
        if (StreamOptions.isChannel(address)) {
            options.checkChannel("--serve", address);
            return physics -> {
                SnapshotSender sender = sender(physics);
                Link link = overAeron(driver -> AeronSender.start(driver, address, sender, CLOCK));
                say.accept("Served at " + address + "; see it with: " + ConsoleCommand.PROGRAM + " watch '" + address
                        + "'");
                return link;
            };
        }
        StreamOptions.Address at = options.free("--serve", address);
        return physics -> {
            SnapshotSender sender = sender(physics);
            UdpLoop<ServerEndpoint> server =
                    UdpLoop.server(at.socket(), WORLD, at.access(), sender, physics.input(), Limits.DEFAULT, CLOCK);
            String where = StreamOptions.written(
                    at.socket().getAddress(), server.address().getPort());
            say.accept("Served at " + where + "; see it with" + (at.hasKey() ? " the same key" : "") + ": "
                    + ConsoleCommand.PROGRAM + " watch " + where);
            return new Link(server, Map::of, physics.input(), Optional::empty);
        };
    }

    private static SnapshotSender sender(PhysicsService physics) {
        return new SnapshotSender(physics.newReader(), new WireFormat(0.001f, 0.003f), new SecureRandom().nextInt());
    }

    /**
     * Parses the address at which another process serves its world.
     *
     * @return a function that connects a receiver to this address
     * @throws IllegalArgumentException if the text is no address
     */
    static Function<SnapshotReceiver, Link> watching(StreamOptions options, String address, String world) {
        if (StreamOptions.isChannel(address)) {
            options.checkChannel("ADDRESS", address);
            return receiver -> overAeron(driver -> AeronReceiver.start(driver, address, receiver, CLOCK));
        }
        StreamOptions.Address at = options.address("ADDRESS", address);
        return receiver -> {
            UdpLoop<ClientEndpoint> loop = UdpLoop.client(at.socket(), world, at.access(), receiver, CLOCK);
            ClientEndpoint client = loop.endpoint();
            return new Link(
                    loop,
                    () -> Map.of("clamped-bodies", receiver.metric(ReceiverMetric.CLAMPED_BODIES)),
                    client.inputs(),
                    client::refusal);
        };
    }

    /**
     * Starts an Aeron stream. A failed start becomes an {@link IllegalArgumentException}, so that the command reports it in one line and
     * exits with 2.
     */
    private static Link overAeron(Function<AeronDriver, AeronStream> start) {
        AeronDriver driver = null;
        try {
            driver = AeronDriver.embedded();
            return new Link(start.apply(driver), driver);
        } catch (IllegalStateException | UncheckedIOException e) {
            CloseHelper.quietClose(driver);
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        end.run();
    }
}
