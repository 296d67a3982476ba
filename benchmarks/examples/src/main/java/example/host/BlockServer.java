package example.host;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.host.*;
import dev.escapement.render.web.LivePage;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.time.WaitStrategy;
import java.util.*;

/** A block game's server: its own loop of 20 Hz, and the physics of all dimensions on two other threads. Main thread of the game. */
final class BlockServer implements AutoCloseable {

    /** The game's code of one dimension. It must not keep events. */
    interface Dimension extends BlockPhysics.Mover {

        /** Handles an event: an entity spawned, despawned, or touches something. */
        void happened(BodyEvent event);

        /** Loads and unloads chunks, makes, throws and removes entities. Look at the answers in a later tick. */
        void change(BlockPhysics physics);
    }

    private final PhysicsHost host;
    private final Map<Dimension, BlockPhysics> dimensions = new LinkedHashMap<>();

    BlockServer(PhysicsHost host) {
        this.host = host;
    }

    static BlockServer start() {
        return new BlockServer(PhysicsHost.builder()
                .threads(2)
                .waitStrategy(WaitStrategy.PARK_ONLY) // leaves the cores to the game
                .watchdog(2_000) // a dimension whose tick takes 2 s has failed; the others continue
                .start());
    }

    void open(String name, Dimension dimension, double weight) {
        dimensions.put(dimension, new BlockPhysics(builder -> host.add(builder.name(name), weight)));
    }

    /** {@return a page in the browser that shows one dimension, and lists all, to open another by a click} Close it before this server. */
    LivePage watch(String dimension) {
        PhysicsService first = host.world(dimension).orElseThrow();
        return LivePage.of(first.newReader())
                .controls(first)
                .worlds(
                        () -> WorldLoad.table(host.loads()),
                        (page, name) -> host.world(name).ifPresent(world -> page.show(world.newReader(), world)))
                .start();
    }

    /** Runs a tick of the game, every 50 ms. */
    void tick() {
        dimensions.forEach((dimension, physics) -> {
            physics.drain(dimension::happened); // since the last tick
            dimension.change(physics); // before the next tick of physics
            physics.tick(host.clock().nanoTime(), dimension); // the newest poses of physics
        });
    }

    /** Closes all dimensions. */
    @Override
    public void close() {
        dimensions.values().forEach(BlockPhysics::close);
        host.close();
    }
}
