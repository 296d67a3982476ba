package example.host;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.host.*;
import dev.escapement.render.web.LivePage;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.time.WaitStrategy;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;

/** The server of a block game: its own loop of 20 Hz, and the physics of all dimensions on two other threads. Main thread of the game. */
final class BlockServer implements AutoCloseable {

    /** The game's code for one dimension. It must not keep the passed events. */
    interface Dimension extends BlockPhysics.Mover {

        void happened(BodyEvent event);

        /** Loads and unloads chunks; adds, throws and removes entities. Their results are available in a later tick. */
        void change(BlockPhysics physics);

        /** Called once, in place of the other methods, after its physics has failed or hung. The game may open another dimension. */
        void failed(Throwable cause);
    }

    private final PhysicsHost host;
    private final Map<Dimension, BlockPhysics> dimensions = new LinkedHashMap<>();
    private final Map<Dimension, Throwable> failures = new ConcurrentHashMap<>(); // put by threads of the host

    BlockServer(PhysicsHost host) {
        this.host = host;
    }

    static final int WATCHDOG_MILLIS = 2_000;

    static BlockServer start() {
        return new BlockServer(PhysicsHost.builder()
                .threads(2)
                .waitStrategy(WaitStrategy.PARK_ONLY) // parks without spinning, to leave the cores to the game
                .watchdog(WATCHDOG_MILLIS) // a dimension fails if its tick takes longer; the others continue
                .start());
    }

    void open(String name, Dimension dimension, double weight) {
        dimensions.put(
                dimension,
                new BlockPhysics(builder ->
                        host.add(builder.name(name).onFailure(cause -> failures.put(dimension, cause)), weight)));
    }

    /** {@return a page for the browser that shows one dimension, and has a list to open the others} Close it before this server. */
    LivePage watch(String dimension) {
        PhysicsService first = host.world(dimension).orElseThrow();
        return LivePage.of(first.newReader())
                .controls(first)
                .worlds(
                        () -> WorldLoad.table(host.loads()),
                        (page, name) -> host.world(name).ifPresent(world -> page.show(world.newReader(), world)))
                .start();
    }

    /** Runs one tick of the game. The game calls it every 50 ms. */
    void tick() {
        failures.forEach((dimension, cause) -> {
            failures.remove(dimension);
            BlockPhysics physics = dimensions.remove(dimension);
            if (physics != null) { // null if it failed before it was open
                physics.close(); // does not wait: the host has abandoned the thread that hangs
                dimension.failed(cause);
            }
        });
        dimensions.forEach((dimension, physics) -> {
            physics.drain(dimension::happened); // the events since the last tick of the game
            dimension.change(physics); // takes effect in the next physics tick
            physics.tick(host.clock().nanoTime(), dimension); // moves entities to the newest physics poses
        });
    }

    @Override
    public void close() {
        dimensions.values().forEach(BlockPhysics::close);
        host.close();
    }
}
