package dev.escapement.bench.run;

import dev.escapement.bench.view.WorldTime;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Simulation;
import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import dev.escapement.state.wire.udp.Access;
import dev.escapement.state.wire.udp.Limits;
import dev.escapement.state.wire.udp.ServerEndpoint;
import dev.escapement.state.wire.udp.UdpAddress;
import dev.escapement.state.wire.udp.UdpLoop;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A stage whose world other processes can watch: 'escapement watch ADDRESS'. They see it and do not steer it. */
final class ServingStage implements Stage {

    /** What both sides call the world. */
    static final String WORLD = "escapement";

    private static final List<String> LOCAL_HOSTS = List.of("127.0.0.1", "localhost", "::1");

    private static final WireFormat FORMAT = WireFormat.rounded(0.001f, 0.003f);

    private final Stage stage;
    private final UdpAddress address;
    private final Consumer<String> say;
    private @Nullable UdpLoop<ServerEndpoint> server;

    ServingStage(Stage stage, UdpAddress address, Consumer<String> say) {
        this.stage = stage;
        this.address = address;
        this.say = say;
    }

    /**
     * Reads an address of this machine.
     *
     * @throws IllegalArgumentException if it is none; other machines need a key, which no command line should show
     */
    static UdpAddress localAddress(String option, String text) {
        UdpAddress address = UdpAddress.parse(text);
        if (!LOCAL_HOSTS.contains(address.host())) {
            throw new IllegalArgumentException(
                    option + " " + text + " is not on this machine; commands serve and watch at "
                            + String.join(", ", LOCAL_HOSTS) + " only. Programs with a key reach farther: see UdpLoop");
        }
        return address;
    }

    @Override
    public RenderLoop startDrawing(PhysicsService physics, FrameView view, FrameListener listener) {
        SnapshotSender sender = new SnapshotSender(physics.newReader(), FORMAT, new SecureRandom().nextInt());
        UdpLoop<ServerEndpoint> started =
                UdpLoop.server(address, WORLD, Access.thisMachine(), sender, null, Limits.DEFAULT, NanoClock.system());
        server = started;
        say.accept("Served at " + started.address() + "; see it with: escapement watch " + started.address());
        return stage.startDrawing(physics, view, listener);
    }

    @Override
    public void waitWhile(BooleanSupplier running, InputRing input) {
        stage.waitWhile(running, input);
        close(server);
        server = null;
    }

    @Override
    public void close() {
        close(server);
        stage.close();
    }

    private static void close(@Nullable UdpLoop<ServerEndpoint> server) {
        if (server != null) {
            server.close();
            server.failure().ifPresent(failure -> {
                throw new IllegalStateException("serving has ended early", failure);
            });
        }
    }

    @Override
    public double framesPerSecond() {
        return stage.framesPerSecond();
    }

    @Override
    public Simulation around(Simulation simulation) {
        return stage.around(simulation);
    }

    @Override
    public int readers() {
        return stage.readers() + 1;
    }

    @Override
    public void ticked(long tick, long dueNanos, long startedNanos, long steppedNanos, long publishedNanos) {
        stage.ticked(tick, dueNanos, startedNanos, steppedNanos, publishedNanos);
    }

    @Override
    public @Nullable WorldTime time() {
        return stage.time();
    }

    @Override
    public boolean wantsRestart() {
        return stage.wantsRestart();
    }

    @Override
    public boolean hasPlayer() {
        return stage.hasPlayer();
    }
}
