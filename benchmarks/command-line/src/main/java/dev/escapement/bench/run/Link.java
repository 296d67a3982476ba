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
 * One side of a stream between processes, over UDP or an Aeron channel. The other side is a run or 'escapement watch ADDRESS'. Any thread.
 *
 * @param failure why the stream has ended by itself
 * @param counts  the transport's counts, by name
 * @param bytes   received bytes
 * @param packets received packets
 * @param input   takes input, which is dropped if the sender accepts none
 * @param refusal why the sender refuses this side; empty if it accepts it
 * @param latencyMicros the latencies of packets since the last call; null if not known
 * @param end     ends the stream
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

    /** The name of the world over UDP, on both sides. */
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
     * Parses the address at which a run serves its worlds.
     *
     * @return a function that serves a world that has started, by one of its readers
     * @throws IllegalArgumentException if it is no address, or another program has it
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
     * @return a function that connects a receiver to it
     * @throws IllegalArgumentException if it is no address
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

    /** Reports a failed start in a line, like bad input. */
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
