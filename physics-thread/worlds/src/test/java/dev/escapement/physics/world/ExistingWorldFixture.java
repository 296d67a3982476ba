package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.command.Spawned;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A game's world with a simulation around it, ticked on the test's own thread by a manual clock, and the operations of the contracts. */
@Timeout(120)
public abstract class ExistingWorldFixture<W, B> implements ExistingWorlds<W, B> {

    static final double DT_SECONDS = 0.01;
    protected static final long TICK_NANOS = 10_000_000;

    /** The tick by which boxes that fell a few metres have come to rest and sleep. */
    static final int ASLEEP_TICK = 800;

    protected final ManualClock clock = new ManualClock(0);

    /** The futures of commands and queries, none of which may fail. */
    final List<CompletableFuture<?>> given = new ArrayList<>();

    protected GameWorld<W, B> game;
    protected WorldSimulation<W, B> simulation;
    protected InlineDriver driver;
    protected SnapshotReader reader;

    @SuppressWarnings("NullAway.Init") // start() sets the fields
    protected ExistingWorldFixture() {}

    @BeforeEach
    void start() {
        game = createGame();
        simulation = wrap(game);
        driver = PhysicsService.builder(simulation).inline(clock);
        reader = driver.newReader();
    }

    @AfterEach
    void close() {
        driver.close();
        game.close();
    }

    final boolean can(Ability ability) {
        return abilities().contains(ability);
    }

    /** Asserts that the world has an ability if its test names the ability, and only then. Returns whether it has. */
    final boolean can(Ability ability, boolean can) {
        assertThat(can).as("%s; the test names %s", ability, abilities()).isEqualTo(can(ability));
        return can;
    }

    protected final B attach(B box, long userData) {
        simulation.attach(box, userData);
        return box;
    }

    final Spawned<B> spawn(double x, double y, long userData) {
        return driver.spawn((tick, id) -> {
            B box = game.addBox(x, y);
            simulation.attach(id, box, userData);
            return box;
        });
    }

    protected final void removeDetached(B body) {
        simulation.detach(body);
        game.remove(body);
    }

    protected final void command(Runnable command) {
        given.add(driver.command(tick -> {
            command.run();
            return tick;
        }));
    }

    protected final void tick(int ticks) {
        clock.advance(ticks * TICK_NANOS);
        assertThat(driver.runDueTicks(Integer.MAX_VALUE)).isEqualTo(ticks);
        given.forEach(CompletableFuture::join);
        given.clear();
    }

    /** Serves the commands in a pause. */
    final void serve() {
        assertThat(driver.runDueTicks()).isZero();
        given.forEach(CompletableFuture::join);
        given.clear();
    }

    /** Lets commands change the world in a pause, one after another. */
    protected final void commandInAPause(Runnable... commands) {
        driver.pause();
        tick(1);
        for (Runnable command : commands) {
            command(command);
            serve();
        }
        driver.resume();
        serve();
    }

    final long foundJumps() {
        return Objects.requireNonNull(simulation.counts().get("detected-teleports"));
    }

    protected final Snapshot newest() {
        reader.acquire();
        return reader.window().newest();
    }

    /** Asserts that a body is shown at the engine's pose: positions bit for bit, rotations up to the sign and length. */
    final void assertShown(B body) {
        long id = simulation.idOf(body);
        Snapshot shown = newest();
        assertThat(shown.bodies().exists(id)).as(BodyId.toString(id)).isTrue();
        PoseBlock poses = shown.poses().blockOf(BodyId.slot(id));
        int at = BodyId.slot(id) & PoseBlock.MASK;
        double[] pose = game.pose(body);
        assertThat(new float[] {poses.px[at], poses.py[at], poses.pz[at]})
                .isEqualTo(new float[] {(float) pose[0], (float) pose[1], (float) pose[2]});
        double dot = poses.qx[at] * pose[3] + poses.qy[at] * pose[4] + poses.qz[at] * pose[5] + poses.qw[at] * pose[6];
        double sign = Math.signum(dot);
        double[] rotation = {poses.qx[at], poses.qy[at], poses.qz[at], poses.qw[at]};
        for (int i = 0; i < 4; i++) {
            assertThat(sign * rotation[i]).isCloseTo(pose[3 + i], within(1e-6));
        }
    }
}
