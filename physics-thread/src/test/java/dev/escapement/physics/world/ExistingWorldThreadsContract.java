package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.ServiceState;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.Spawned;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.BodyId;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a simulation around a world that the game already has promises to a game with threads of its own: this one, and that of a
 * service. Waits for ticks, never for time.
 *
 * @param <W> the engine's world
 * @param <B> the engine's bodies
 * @see ExistingWorldContract
 */
@NullMarked
@Timeout(120)
public abstract class ExistingWorldThreadsContract<W, B> implements ExistingWorlds<W, B> {

    private GameWorld<W, B> game;
    private WorldSimulation<W, B> simulation;
    private PhysicsService physics;

    @SuppressWarnings("NullAway.Init") // build() sets the fields
    protected ExistingWorldThreadsContract() {}

    @BeforeEach
    void build() {
        game = createGame();
        simulation = wrap(game);
        physics = PhysicsService.builder(simulation).build();
    }

    @AfterEach
    void close() {
        physics.close();
        game.close();
    }

    @Test
    void aGameSpawnsAndRemovesBodiesFromItsOwnThread() throws Exception {
        physics.start();
        SnapshotReader reader = physics.newReader();
        awaitTicks(3);
        Set<Long> ids = new HashSet<>();
        for (int round = 0; round < 5; round++) {
            int number = round;
            Spawned<B> crate = spawn(0, 3, number);
            assertThat(ids.add(crate.id())).isTrue();
            get(crate.answer());
            Bodies bodies = afterNextTick(reader);
            assertThat(bodies.exists(crate.id())).isTrue();
            assertThat(bodies.userData(BodyId.slot(crate.id()))).isEqualTo(number);
            get(physics.command(tick -> {
                B body = simulation.attached(0);
                simulation.detach(body);
                game.remove(body);
                return tick;
            }));
            assertThat(afterNextTick(reader).exists(crate.id())).isFalse();
        }
    }

    @Test
    void aGameHearsOfContactsOnItsOwnThread() throws Exception {
        physics.start();
        EventStream events = physics.events(256);
        Spawned<B> crate = spawn(0, 0.7, 1);
        boolean[] began = new boolean[1];
        while (!began[0]) {
            awaitTicks(1);
            events.drain(event -> began[0] |= event.kind() == BodyEvent.Kind.CONTACT_BEGAN
                    && event.body() == crate.id()
                    && event.other() == BodyEvent.NO_BODY);
        }
        assertThat(physics.state()).isEqualTo(ServiceState.RUNNING);
    }

    @Test
    void onlyTheThreadThatTicksMayTouchTheWorldWhileItDoes() throws Exception {
        B box = game.addBox(0, 3);
        simulation.attach(box, 1);
        assertThat(simulation.world()).as("before the first tick").isSameAs(game.world());
        physics.start();
        assertRefused(catchThrowable(simulation::world)); // at once
        assertRefused(catchThrowable(() -> simulation.attach(box, 2)));
        assertRefused(catchThrowable(() -> simulation.attach(BodyId.of(3, 1), box, 2)));
        assertRefused(catchThrowable(() -> simulation.detach(box)));
        assertRefused(catchThrowable(() -> simulation.idOf(box)));
        assertThat(get(physics.command(tick -> simulation.world())).value()).isSameAs(game.world());
        assertThat(get(physics.query(tick -> simulation.idOf(box))).value()).isEqualTo(BodyId.of(0, 1));
        physics.close();
        assertThat(simulation.world()).as("after the end").isSameAs(game.world());
        simulation.detach(box);
        assertThat(physics.failure()).isEmpty();
    }

    @Test
    void aWorldBelongsToTheThreadThatTicksBeforeItsFirstTick() throws Exception {
        CompletableFuture<Answer<Throwable>> others =
                physics.command(tick -> CompletableFuture.supplyAsync(() -> catchThrowable(simulation::world))
                        .get());
        physics.start();
        assertThat(get(others).value())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("wants to touch it");
    }

    private static void assertRefused(Throwable thrown) {
        assertThat(thrown)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("thread 'escapement-physics' ticks")
                .hasMessageContaining("but thread '" + Thread.currentThread().getName() + "' wants")
                .hasMessageContaining("physics.command(");
    }

    @Test
    void aStepThatFailsFailsTheServiceAndAnotherServiceGoesOnWithTheWorld() throws Exception {
        B box = game.addBox(0, 30);
        simulation.attach(box, 1);
        physics.start();
        SnapshotReader reader = physics.newReader();
        awaitTicks(3);
        get(physics.command(tick -> {
            game.breakSteps();
            return tick;
        }));
        awaitFailure();
        WorldSimulation<W, B> failed = simulation;
        assertThat(failed.world()).as("nobody has it").isSameAs(game.world());
        assertThat(physics.failure()).isPresent();
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window().newest().bodies().count())
                .as("the last good picture")
                .isEqualTo(1);
        game.mendSteps();
        simulation = wrap(game); // at once: a thread that sees the failure has the world
        simulation.attach(box, 2);
        assertThatIllegalStateException().isThrownBy(failed::world).withMessageContaining("another one has");
        physics.close();
        physics = PhysicsService.builder(simulation)
                .firstTick(physics.lastTick() + 1)
                .start();
        awaitTicks(3);
        SnapshotReader next = physics.newReader();
        assertThat(next.acquire()).isTrue();
        assertThat(next.window().newest().bodies().userData(0)).isEqualTo(2);
    }

    @Test
    void aBodyThatIsRemovedBehindTheServicesBackFailsItWithABodyThatIsNamed() throws Exception {
        B box = game.addBox(0, 3);
        simulation.attach(box, 42);
        physics.start();
        awaitTicks(1);
        get(physics.command(tick -> {
            game.remove(box);
            return tick;
        }));
        awaitFailure();
        assertThat(physics.failure().orElseThrow())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("body 0#1 (user data 42) was removed from")
                .hasMessageContaining("detach(body)");
        CompletableFuture<Answer<Long>> late = physics.command(tick -> tick);
        assertThat(catchThrowable(() -> get(late)))
                .isInstanceOf(ExecutionException.class)
                .hasStackTraceContaining("was removed from");
    }

    @Test
    void aSecondServiceWithTheSameSimulationFailsAndTheFirstGoesOn() throws Exception {
        physics.start();
        try (PhysicsService second = PhysicsService.builder(simulation).start()) {
            assertThat(second.failure().orElseThrow())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("another thread ticks it")
                    .hasMessageContaining("a simulation and a world of its own");
        }
        awaitTicks(3);
        assertThat(physics.failure()).isEmpty();
    }

    @Test
    void aSecondServiceOnTheSameWorldIsRefusedWhileTheFirstTicks() throws Exception {
        physics.start();
        awaitTicks(1);
        assertThatIllegalStateException()
                .isThrownBy(() -> wrap(game))
                .withMessageContaining("another simulation ticks")
                .withMessageContaining("close that one first");
        physics.close();
        physics = PhysicsService.builder(wrap(game)).start();
        awaitTicks(1);
        assertThat(physics.failure()).isEmpty();
    }

    private Spawned<B> spawn(double x, double y, long userData) {
        return physics.spawn((tick, id) -> {
            B box = game.addBox(x, y);
            simulation.attach(id, box, userData);
            return box;
        });
    }

    /** Several queries may be answered after the same tick. */
    private void awaitTicks(int ticks) throws Exception {
        long last = 0;
        for (int i = 0; i < ticks; i++) {
            long before = last;
            while (last == before) {
                last = get(physics.query(tick -> tick)).tick();
            }
        }
    }

    /** What readers see then includes all that was commanded before this was called. */
    private Bodies afterNextTick(SnapshotReader reader) throws Exception {
        awaitTicks(1);
        assertThat(reader.acquire()).isTrue();
        return reader.window().newest().bodies();
    }

    private void awaitFailure() throws InterruptedException {
        while (physics.state() != ServiceState.FAILED) {
            if (Thread.interrupted()) { // by the timeout
                throw new InterruptedException("the service is still " + physics.state());
            }
            Thread.onSpinWait();
        }
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }
}
