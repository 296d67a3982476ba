package dev.escapement.physics.ode4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjDoubleConsumer;
import org.junit.jupiter.api.Test;
import org.ode4j.math.DQuaternion;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DMisc;
import org.ode4j.ode.DWorld;

/** What is ODE's own, beyond the contract. */
class Ode4jWorldSimulationTest {

    private static final long TICK_NANOS = 10_000_000;

    private final Ode4jGame game = new Ode4jGame();
    private final ManualClock clock = new ManualClock(0);

    @Test
    void shouldSayTheVersionOfTheBuild() {
        assertThat(Ode4jWorldSimulation.version()).isEqualTo(System.getProperty("ode4j.version"));
    }

    @Test
    void shouldGiveTheGroupOfContactJointsBackEmpty() {
        DBody box = game.addBox(0, 0.5);
        InlineDriver driver = drive(DWorld::quickStep);
        tick(driver, 5);
        assertThat(box.getNumJoints()).isPositive();
        driver.close();
        assertThat(box.getNumJoints()).isZero();
    }

    @Test
    void shouldStepAsTheGameDid() {
        try (Ode4jGame twin = new Ode4jGame()) {
            DBody box = game.addBox(0, 0.7);
            DBody same = twin.addBox(0, 0.7);
            InlineDriver driver = drive(DWorld::step);
            for (int tick = 0; tick < 50; tick++) {
                tick(driver, 1);
                twin.contacts().empty();
                twin.joinContacts();
                twin.world().step(0.01);
                assertThat(game.state(box)).isEqualTo(twin.state(same));
            }
        }
    }

    /** All worlds of ODE draw their random numbers from one generator. */
    @Test
    void shouldResumeWithItsOwnRandomNumbersThoughOtherWorldsDraw() {
        try (Ode4jGame twin = new Ode4jGame()) {
            List<DBody> boxes = stack(game);
            List<DBody> same = stack(twin);
            InlineDriver driver = drive(DWorld::quickStep);
            for (int tick = 0; tick < 100; tick++) {
                DMisc.dRandSetSeed(12345);
                tick(driver, 1);
                twin.step(0.01);
                for (int i = 0; i < boxes.size(); i++) {
                    assertThat(game.state(boxes.get(i))).isEqualTo(twin.state(same.get(i)));
                }
            }
        }
    }

    private static List<DBody> stack(Ode4jGame game) {
        List<DBody> boxes = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            boxes.add(game.addBox(0.2 * (i % 2), 0.6 + 1.05 * i));
        }
        return boxes;
    }

    /** A box that has sunk in askew has joints at four corners, of which two are deeper. */
    @Test
    void shouldSayWhereAContactIsDeepest() {
        DBody box = game.addBox(0, 0.48);
        box.setQuaternion(new DQuaternion(Math.cos(0.01), 0, 0, Math.sin(0.01)));
        Ode4jWorldSimulation simulation = simulation(DWorld::quickStep);
        simulation.attach(box, 1);
        InlineDriver driver = PhysicsService.builder(simulation).inline(clock);
        EventStream events = driver.events(64);
        double lowest = lowestCorner(box);
        tick(driver, 1);
        List<Float> heights = new ArrayList<>();
        events.drain(event -> {
            if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN) {
                assertThat(event.ny()).as("from the box to the floor").isCloseTo(-1, within(1e-3f));
                heights.add(event.y());
            }
        });
        assertThat(heights).hasSize(1);
        assertThat((double) heights.get(0)).isCloseTo(lowest, within(1e-3));
        driver.close();
    }

    private double lowestCorner(DBody box) {
        double[] pose = game.pose(box);
        double angle = 2 * Math.atan2(pose[5], pose[6]);
        return pose[1] - 0.5 * (Math.abs(Math.sin(angle)) + Math.abs(Math.cos(angle)));
    }

    private Ode4jWorldSimulation simulation(ObjDoubleConsumer<DWorld> stepper) {
        return new Ode4jWorldSimulation(game.world(), game.contacts(), game::joinContacts, stepper);
    }

    private InlineDriver drive(ObjDoubleConsumer<DWorld> stepper) {
        return PhysicsService.builder(simulation(stepper)).inline(clock);
    }

    private void tick(InlineDriver driver, int ticks) {
        clock.advance(ticks * TICK_NANOS);
        assertThat(driver.runDueTicks(Integer.MAX_VALUE)).isEqualTo(ticks);
    }
}
