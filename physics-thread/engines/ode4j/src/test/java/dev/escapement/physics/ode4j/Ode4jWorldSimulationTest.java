package dev.escapement.physics.ode4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.world.ExistingWorldFixture;
import dev.escapement.physics.world.ShapeMeasures;
import dev.escapement.state.Await;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.world.BodyShape;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.ObjDoubleConsumer;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ode4j.math.DVector3C;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DGeom;
import org.ode4j.ode.DMisc;
import org.ode4j.ode.DWorld;

class Ode4jWorldSimulationTest extends ExistingWorldFixture<DWorld, DBody> implements Ode4jContractsTest.Worlds {

    @Test
    void shouldGiveTheGroupOfContactJointsBackEmpty() {
        assertThat(Ode4jWorldSimulation.version()).isEqualTo(System.getProperty("ode4j.version"));
        DBody box = game.addBox(0, 0.5);
        tick(5);
        assertThat(box.getNumJoints()).isPositive();
        driver.close();
        assertThat(box.getNumJoints()).isZero();
    }

    /**
     * All worlds of ODE draw their random numbers from one generator. The numbers that others draw must not change a simulation's results.
     */
    @Test
    void shouldResumeWithItsOwnRandomNumbers() {
        try (Ode4jGame twin = new Ode4jGame()) {
            List<DBody> boxes = stack((Ode4jGame) game);
            List<DBody> same = stack(twin);
            for (int tick = 0; tick < 100; tick++) {
                DMisc.dRandSetSeed(12345);
                tick(1);
                twin.step(0.01);
                for (int i = 0; i < boxes.size(); i++) {
                    assertThat(game.pose(boxes.get(i))).isEqualTo(twin.pose(same.get(i)));
                }
            }
        }
    }

    /** Another world, on another thread, tries to step in the middle of a step of the first one, and has to wait. */
    @Test
    void shouldStepAloneAmongWorldsThatWantThat() throws Exception {
        try (Ode4jGame other = new Ode4jGame()) {
            DBody box = other.addBox(0, 5);
            Ode4jWorldSimulation second = simulation(other, DWorld::quickStep);
            second.stepExclusively();
            ManualClock otherClock = new ManualClock(0);
            Thread another = new Thread(() -> {
                InlineDriver otherDriver = PhysicsService.builder(second).inline(otherClock);
                otherClock.advance(TICK_NANOS);
                otherDriver.runDueTicks();
                otherDriver.close();
            });
            driver.close();
            Ode4jWorldSimulation first = simulation((Ode4jGame) game, (world, dtSeconds) -> {
                another.start();
                Await.until(() -> !another.isAlive() || another.getState() == Thread.State.BLOCKED);
                assertThat(other.pose(box)[1]).as("waits").isEqualTo(5);
                world.quickStep(dtSeconds);
            });
            first.stepExclusively();
            driver = PhysicsService.builder(first).inline(clock);
            tick(1);
            another.join();
            assertThat(other.pose(box)[1]).isLessThan(5);
        }
    }

    /** The game creates no joints between the disabled boxes, which still touch. */
    @Test
    void shouldEndNoContactOfABodyThatACommandDisables() {
        List<DBody> boxes = stack((Ode4jGame) game);
        boxes.forEach(box -> attach(box, 1));
        EventStream events = driver.events(1024);
        tick(60);
        assertThat(contacts(events)).isNotEmpty();
        for (int time = 0; time < 10; time++) {
            command(() -> boxes.forEach(box -> {
                box.setLinearVel(0, 0, 0);
                box.setAngularVel(0, 0, 0);
                box.disable();
            }));
            tick(10);
            command(() -> boxes.forEach(DBody::enable));
            tick(1);
        }
        assertThat(contacts(events)).isEmpty();
        command(() -> boxes.forEach(DBody::disable));
        tick(2);
        command(() -> boxes.get(5).setPosition(9, 0.5, 0));
        tick(2);
        assertThat(contacts(events)).as("of a box that was moved").containsExactly(BodyEvent.Kind.CONTACT_ENDED);
    }

    @ParameterizedTest(name = "moved by {0} m, paused: {1}")
    @CsvSource({"7, false", "0.2, false", "0, true", "0.2, true"})
    void shouldEndContactsOfABodyMovedAndDisabledTogether(double metres, boolean paused) {
        DBody box = attach(game.addBox(0, 0.5), 1);
        EventStream events = driver.events(64);
        tick(5);
        assertThat(contacts(events)).hasSize(1);
        assertThat(box.isEnabled()).isTrue();
        Runnable move = () -> {
            DVector3C at = box.getPosition();
            box.setPosition(at.get0(), at.get1() + metres, at.get2());
            box.disable();
        };
        if (paused) {
            commandInAPause(move);
        } else {
            command(move);
        }
        tick(10);
        assertThat(contacts(events)).isEqualTo(metres == 0 ? List.of() : List.of(BodyEvent.Kind.CONTACT_ENDED));
    }

    /** Nobody is subscribed to events, and then time stands still. */
    @Test
    void shouldReadTheGeomsThatABodyHasNow() {
        double[] row = IntStream.range(0, 400)
                .mapToObj(i -> DoubleStream.of(i, 0, 0.5, 0.5))
                .flatMapToDouble(box -> box)
                .toArray();
        DBody body = attach(game.addShaped(0, 5, row), 1);
        tick(1);
        assertThat(extent(body)).containsExactly(-0.5, 399.5);
        command(() -> game.removeShape(body));
        tick(1);
        assertThat(extent(body)).containsExactly(-0.5, 398.5);
        driver.events(64);
        commandInAPause(() -> {
            List<DGeom> geoms = new ArrayList<>();
            body.getGeomIterator().forEachRemaining(geoms::add);
            List<Long> asked = Collections.nCopies(
                    3, simulation.idOf(body)); // the third shape stays partial, with the oldest geom
            simulation.shapes(asked, new ArrayList<>());
            geoms.get(398).destroy();
            simulation.reshaped(body);
        });
        assertThat(extent(body)).as("without the oldest").containsExactly(0.5, 398.5);
    }

    /** Nobody is subscribed to events, so no contact makes the simulation look for bodies that are gone. */
    @Test
    void shouldHoldNoBodyThatItWasAskedFor() {
        List<WeakReference<DBody>> gone = new ArrayList<>();
        for (int time = 0; time < 200; time++) {
            DBody box = attach(game.addBox(0, 5), 1);
            tick(1);
            assertThat(extent(box)).containsExactly(-0.5, 0.5);
            removeDetached(box);
            gone.add(new WeakReference<>(box));
        }
        tick(1);
        for (int look = 0; look < 100 && !gone.get(0).refersTo(null); look++) {
            System.gc();
        }
        assertThat(gone.get(0).refersTo(null)).as("the first box was collected").isTrue();
    }

    private double[] extent(DBody body) {
        BodyShape shape = Objects.requireNonNull(simulation.shape(simulation.idOf(body)));
        double[] bounds = ShapeMeasures.bounds(shape.form(), 0, 0, 0, 0, 0, 0, 1);
        return new double[] {bounds[0], bounds[3]};
    }

    private static List<BodyEvent.Kind> contacts(EventStream events) {
        List<BodyEvent.Kind> kinds = new ArrayList<>();
        events.drain(event -> kinds.add(event.kind()));
        kinds.removeIf(kind -> kind == BodyEvent.Kind.SPAWNED);
        return kinds;
    }

    private static List<DBody> stack(Ode4jGame game) {
        List<DBody> boxes = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            boxes.add(game.addBox(0.2 * (i % 2), 0.6 + 1.05 * i));
        }
        return boxes;
    }

    private static Ode4jWorldSimulation simulation(Ode4jGame of, ObjDoubleConsumer<DWorld> stepper) {
        return new Ode4jWorldSimulation(of.world(), of.contacts(), of::joinContacts, stepper);
    }
}
