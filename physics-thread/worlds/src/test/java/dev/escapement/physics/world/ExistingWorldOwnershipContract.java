package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.command.Spawned;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.Logged;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.snapshot.BodyId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@code WorldSimulation} for what comes and goes: the simulation has the world alone and releases it at its end,
 * bodies and parts are attached and detached, also by commands, wrong calls are refused, and the touch watch finds each touch of a body
 * between two ticks, and nothing else. None of this calls the engine, so Escapement's own tests run it for two engines only.
 */
public abstract class ExistingWorldOwnershipContract<W, B> extends ExistingWorldFixture<W, B> {

    @Test
    void aWorldHasOneSimulationAtATime() {
        assertThatIllegalStateException()
                .isThrownBy(() -> wrap(game))
                .withMessageContaining("another simulation ticks")
                .withMessageContaining("close that one first");
        B box = attach(game.addBox(0, 5), 1);
        tick(3);
        driver.close();
        try (WorldSimulation<W, B> next = wrap(game)) {
            next.attach(box, 2);
            assertThatIllegalStateException()
                    .isThrownBy(() -> simulation.attach(box, 3))
                    .withMessageContaining("was closed");
        }
        wrap(game).close();
    }

    /** Captures of a pause count for nothing. */
    @Test
    void rulesThatNeverStepTheWorldAreLogged() {
        driver.close();
        simulation = wrap(game);
        ForwardingSimulation rules = new ForwardingSimulation(simulation) {
            @Override
            public void step(Tick tick) {}
        };
        driver = PhysicsService.builder(rules).inline(clock);
        try (Logged logged = new Logged("physics")) {
            tick(98);
            commandInAPause(() -> {}, () -> {}, () -> {});
            assertThat(logged.records).isEmpty();
            tick(1);
            assertThat(logged.records)
                    .singleElement()
                    .satisfies(record -> assertThat(record.getMessage())
                            .contains("None of the first 100 ticks has stepped ", "Call super.step(tick)"));
        }
    }

    @Test
    void onlyTheThreadThatTicksMayTouchTheWorld() {
        B box = attach(game.addBox(0, 5), 1);
        tick(3);
        List<ThrowingCallable> calls = List.of(
                simulation::world,
                () -> simulation.attach(box, 2),
                () -> simulation.attach(BodyId.of(3, 1), box, 2),
                () -> simulation.detach(box),
                () -> simulation.idOf(box),
                () -> simulation.bodyOf(BodyId.of(0, 1)));
        CompletableFuture.runAsync(() -> assertThat(calls)
                        .hasSize(6)
                        .allSatisfy(call -> assertThatIllegalStateException()
                                .isThrownBy(call)
                                .withMessageContaining(
                                        "but thread '" + Thread.currentThread().getName() + "' wants")
                                .withMessageContaining("physics.execute(")))
                .join();
        driver.close();
        assertThat(simulation.world()).as("after the end").isSameAs(game.world());
    }

    @Test
    void closingFreesNothingOfTheWorld() {
        B box = attach(game.addBox(0, 5), 1);
        tick(3);
        simulation.close();
        simulation.close();
        double height = game.pose(box)[1];
        for (int step = 0; step < 200; step++) {
            game.step(DT_SECONDS);
        }
        assertThat(game.pose(box)[1]).isLessThan(height).isCloseTo(0.5, within(0.05));
        assertThat(simulation.world()).isSameAs(game.world());
        game.remove(box);
    }

    @Test
    void aDetachedBodyCanBeAttachedAgain() {
        B box = attach(game.addBox(0, 5), 1);
        tick(3);
        long id = simulation.idOf(box);
        assertThat(simulation.bodyOf(id)).isSameAs(box);
        simulation.detach(box);
        assertThat(simulation.bodyOf(id)).isNull();
        tick(1);
        assertThat(newest().bodies().exists(id)).isFalse();
        simulation.attach(box, 2);
        tick(1);
        assertThat(simulation.idOf(box)).isNotEqualTo(id);
        assertThat(simulation.bodyOf(id)).as("its slot has another body").isNull();
        assertThat(simulation.bodyOf(BodyEvent.NO_BODY)).isNull();
        assertThat(newest().bodies().userData(BodyId.slot(simulation.idOf(box))))
                .isEqualTo(2);
        assertShown(box);
    }

    @Test
    void wrongAttachAndDetachAreRefusedWithTheReason() {
        B box = attach(game.addBox(0, 5), 1);
        assertThatIllegalStateException()
                .isThrownBy(() -> simulation.idOf(box))
                .withMessageContaining("gets its id in its first capture");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> simulation.attach(box, 2))
                .withMessageContaining("attached already");
        B other = game.addBox(3, 5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> simulation.detach(other))
                .as("the reason before the engine's text of the body, which may be long")
                .withMessageStartingWith("a body is not attached; attach it first, or leave it out: ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> simulation.attach(0, other, 2)) // the id that a refused spawn returns
                .withMessageContaining("is no body's id");
        tick(3);
        assertThat(newest().bodies().count()).isEqualTo(1);
    }

    @Test
    void anAttachedBodyThatIsRemovedFailsTheTick() {
        B box = attach(game.addBox(0, 5), 42);
        tick(3);
        game.remove(box);
        clock.advance(TICK_NANOS);
        assertThatIllegalStateException()
                .isThrownBy(driver::runDueTicks)
                .withMessageContaining("body 0#1 (user data 42) was removed from")
                .withMessageContaining("detach(body)");
    }

    @Test
    void commandsSpawnAndRemoveBodies() throws Exception {
        tick(3);
        Spawned<B> first = spawn(0, 3, 70);
        assertThat(first.id()).isEqualTo(BodyId.of(0, 1));
        tick(1);
        B box = first.answer().get().value();
        assertThat(newest().bodies().exists(first.id())).isTrue();
        assertThat(newest().bodies().userData(0)).isEqualTo(70);
        assertThat(simulation.idOf(box)).isEqualTo(first.id());
        assertShown(box);

        command(() -> removeDetached(box));
        tick(1);
        assertThat(newest().bodies().exists(first.id())).isFalse();
        assertThat(newest().bodies().count()).isZero();

        tick(3); // until no window has the first body, so that its slot is free
        Spawned<B> second = spawn(0, 3, 71);
        tick(1);
        assertThat(BodyId.slot(second.id())).isZero();
        assertThat(second.id()).as("another generation").isNotEqualTo(first.id());
        assertThat(newest().bodies().exists(second.id())).isTrue();
        assertThat(newest().bodies().exists(first.id())).isFalse();
        assertThat(newest().bodies().userData(0)).isEqualTo(71);
    }

    @Test
    void aBodyGoneBeforeItsFirstCaptureIsNeverShown() throws Exception {
        Spawned<B> crate = spawn(0, 3, 1);
        command(() -> removeDetached(simulation.attached(simulation.bodyCount() - 1)));
        tick(4);
        assertThat(crate.answer().get().tick()).isEqualTo(1);
        assertThat(newest().bodies().count()).isZero();
        Spawned<B> next = spawn(0, 3, 1);
        tick(1);
        assertThat(BodyId.slot(next.id())).as("its slot is free again").isZero();
        assertThat(newest().bodies().exists(next.id())).isTrue();
    }

    private static Part.Source at(float x) {
        return (slot, poses) -> poses.set(slot, x, 0, 0, 0, 0, 0, 1);
    }

    @Test
    void partsComeAndGoWithIdsAsBodiesDo() {
        attach(game.addBox(0, 5), 1);
        Part.Source source = at(1);
        Part part = simulation.attachPart(source, 70);
        assertThatIllegalStateException()
                .isThrownBy(part::id)
                .withMessageContaining("(user data 70) gets its id in its first capture");
        tick(3);
        assertThat(newest().bodies().userData(BodyId.slot(part.id()))).isEqualTo(70);
        assertThat(simulation.bodyOf(part.id())).isNull();
        assertThat(simulation.shape(part.id())).isNull();
        assertThat(simulation.bodyCount()).as("of the engine").isEqualTo(1);
        long id = part.id();
        command(part::detach);
        tick(1);
        assertThat(newest().bodies().exists(id)).isFalse();
        assertThat(newest().bodies().count()).isEqualTo(1);
        assertThatIllegalArgumentException().isThrownBy(part::detach).withMessageContaining("is not attached");
        Part again = simulation.attachPart(source, 73);
        tick(1);
        assertThat(again.id()).isNotEqualTo(id);
        assertThat(newest().bodies().exists(again.id())).isTrue();
    }

    @Test
    void aSourceThatThrowsIsNamed() {
        simulation.attachPart(
                (at, poses) -> {
                    throw new IllegalArgumentException("no such spark");
                },
                42);
        clock.advance(TICK_NANOS);
        assertThatIllegalStateException()
                .isThrownBy(driver::runDueTicks)
                .withMessageContaining("(user data 42), a part, threw")
                .withMessageContaining("no such spark");
    }

    @Test
    void aSourceCanDetachItsPart() {
        List<Part> sparks = new ArrayList<>();
        long[] captures = {0};
        for (int spark = 0; spark < 5; spark++) {
            int number = spark;
            sparks.add(simulation.attachPart(
                    (slot, poses) -> {
                        at(number).write(slot, poses);
                        if (++captures[0] > 15 && number % 2 == 0) {
                            sparks.get(number).detach();
                        }
                    },
                    spark));
        }
        tick(3);
        assertThat(newest().bodies().count()).isEqualTo(5);
        tick(2);
        assertThat(newest().bodies().count()).isEqualTo(2);
        assertThat(newest().bodies().exists(sparks.get(1).id())).isTrue();
        assertThat(newest().bodies().exists(sparks.get(3).id())).isTrue();
        assertThat(captures[0]).isEqualTo(3 * 5 + 5 + 2);
    }

    @Test
    void touchingABodyBetweenTwoTicksIsFoundOut() {
        B box = watched();
        tick(3);
        game.setVelocity(box, 0, 1);
        clock.advance(TICK_NANOS);
        assertThatIllegalStateException()
                .isThrownBy(driver::runDueTicks)
                .withMessageContaining("body 0#1 (user data 17) was changed between two ticks")
                .withMessageContaining("physics.execute");
    }

    @Test
    void whatCommandsDoIsNoTouchFromOutside() throws Exception {
        B box = watched();
        for (int tick = 0; tick < 30; tick++) {
            command(() -> game.setVelocity(box, 0, 1));
            Spawned<B> crate = spawn(3, 4, 2);
            tick(1);
            B spawned = crate.answer().get().value();
            command(() -> removeDetached(spawned));
            given.add(driver.query(now -> game.pose(box)));
            tick(1);
        }
        driver.pause();
        tick(1);
        for (int look = 0; look < 3; look++) { // while time stands still, commands run without ticks
            command(() -> game.setVelocity(box, 0, 2));
            assertThat(driver.runDueTicks()).isZero();
        }
        driver.resume();
        driver.runDueTicks();
        tick(2);
        attach(game.addBox(3, 5), 18); // by the ticking thread, between two ticks
        tick(3);
        assertThat(newest().bodies().count()).isEqualTo(2);
    }

    private B watched() {
        driver.close();
        simulation = wrap(game);
        driver = PhysicsService.builder(simulation)
                .source(simulation.touchWatch())
                .inline(clock);
        reader = driver.newReader();
        return attach(game.addBox(0, 0.6), 17);
    }

    /** The touch watch is present by default, because tests enable assertions. */
    @Test
    void shouldGiveServicesItsTouchWatchByItself() {
        assertThat(simulation.capability(InputSource.class)).containsSame(simulation.touchWatch());
    }
}
