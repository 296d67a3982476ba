package dev.escapement.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.TickDriver;
import dev.escapement.physics.world.ForwardingSimulation;
import dev.escapement.physics.world.ShapeMeasures;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.service.BodyShape;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the pile of boxes does in every engine. */
@ParameterizedClass
@EnumSource(Piles.class)
class BoxPileTest {

    private static final TickRate RATE = TickRate.hertz(100);
    private static final int MANY = 60;

    /** How far resting bodies overlap, at most. */
    private static final double SLOP_METRES = 0.03;

    private final Piles engine;

    BoxPileTest(Piles engine) {
        this.engine = engine;
    }

    @Test
    void boxesFallAndComeToRestOnTheFloor() throws Exception {
        try (EnginePile<?> simulation = engine.create(new BoxPile(MANY))) {
            TickDriver driver = new TickDriver(simulation, RATE);
            double startHeight =
                    heights(driver.capture()).stream().mapToDouble(h -> h).sum();
            driver.step(1000);
            List<Double> before = heights(driver.capture());
            driver.step(100);
            List<Double> after = heights(driver.capture());
            // The floor's top is at 0, so no centre is lower than half an edge, and none higher than where it started.
            assertThat(after).hasSize(MANY).allSatisfy(y -> assertThat(y).isBetween(0.5 - SLOP_METRES, 13.0));
            assertThat(after.stream().mapToDouble(h -> h).sum()).isLessThan(startHeight - 1);
            for (int body = 0; body < MANY; body++) {
                assertThat(after.get(body)).isCloseTo(before.get(body), within(0.01));
            }
            assertThat(driver.quarantinedPoses()).isZero();
        }
    }

    @Test
    void aBoxFallsAsGravityTellsIt() throws Exception {
        try (EnginePile<?> simulation = engine.create(new BoxPile(1))) {
            TickDriver driver = new TickDriver(simulation, RATE);
            driver.step(20);
            double fall = 9.81e-4 * 20 * 21 / 2; // semi-implicit Euler: g dt^2 n (n + 1) / 2
            assertThat(heights(driver.capture()).get(0))
                    .isBetween(1 - fall - 1e-6, 1 - fall * (1 - engine.dampedShare()) + 1e-6);
        }
    }

    @Test
    void theShapesOfTheBoxesAreToldAlsoBySomethingAroundThePile() throws Exception {
        try (ForwardingSimulation around = new ForwardingSimulation(engine.create(new BoxPile(3))) {}) {
            new TickDriver(around, RATE).capture();
            BodyShape shape = Objects.requireNonNull(around.shape(BodyId.of(2, 1)));
            assertThat(ShapeMeasures.bounds(shape.form(), 0, 0, 0, 0, 0, 0, 1)[3])
                    .isEqualTo(BoxPile.HALF_EXTENT);
            assertThat(around.shape(BodyId.of(3, 1))).isNull();
        }
    }

    @Test
    void theSameInputGivesTheSameBitsInEveryTick() throws Exception {
        List<Long> first = hashes(MANY, 200, 50);
        assertThat(first).doesNotHaveDuplicates();
        assertThat(hashes(MANY, 200, 50)).isEqualTo(first);
    }

    @Test
    void aPushChangesTheBits() throws Exception {
        List<Long> pushed = hashes(MANY, 60, 50);
        List<Long> notPushed = hashes(MANY, 60, -1);
        assertThat(pushed.subList(0, 50)).isEqualTo(notPushed.subList(0, 50));
        assertThat(pushed.get(50)).isNotEqualTo(notPushed.get(50));
    }

    @Test
    void aPushWakesASleepingBoxAndIsCounted() throws Exception {
        try (EnginePile<?> simulation = engine.create(new BoxPile(1))) {
            TickDriver driver = new TickDriver(simulation, RATE);
            driver.step(300);
            long asleep = simulation.hash();
            driver.step(1);
            assertThat(simulation.hash()).isEqualTo(asleep);
            assertThat(simulation.inputsApplied()).isZero();
            double x = simulation.position(0).x();
            double z = simulation.position(0).z();
            driver.offer(InputKind.APPLICATION, PushControls.PUSH_ONE, 0, 5);
            driver.step(10);
            assertThat(simulation.inputsApplied()).isEqualTo(1);
            // 5 m/s upwards and along x, for a tenth of a second.
            assertThat(heights(driver.capture()).get(0)).isBetween(0.9, 1.0);
            assertThat(simulation.position(0).x() - x).isBetween(0.45, 0.51);
            assertThat(simulation.position(0).z() - z).isBetween(-0.01, 0.01);
        }
    }

    @Test
    void whatSleepsIsNotCapturedAgainAndIsWhereItIs() throws Exception {
        try (EnginePile<?> simulation = engine.create(new BoxPile(3))) {
            TickDriver driver = new TickDriver(simulation, RATE);
            Snapshot snapshot = driver.capture();
            for (int tick = 0; tick < 600; tick++) {
                driver.step(1);
                snapshot = driver.capture();
                for (int body = 0; body < 3; body++) {
                    assertThat(snapshot.poses().block(0).px[body])
                            .isEqualTo((float) simulation.position(body).x());
                    assertThat(snapshot.poses().block(0).pz[body])
                            .isEqualTo((float) simulation.position(body).z());
                }
            }
            assertThat(snapshot.motion(0).changedTick()).as("the pile sleeps").isLessThan(snapshot.tick() - 100);
            driver.offer(InputKind.APPLICATION, PushControls.PUSH_ONE, 0, 5);
            driver.step(1);
            snapshot = driver.capture();
            assertThat(snapshot.motion(0).changedTick()).as("one box woke").isEqualTo(snapshot.tick());
        }
    }

    @Test
    void aPileOfNoBoxesTicks() throws Exception {
        try (EnginePile<?> simulation = engine.create(new BoxPile(0))) {
            TickDriver driver = new TickDriver(simulation, RATE);
            driver.offer(InputKind.APPLICATION, PushControls.PUSH_ONE, 7, 5);
            driver.step(3);
            assertThat(driver.capture().poses().slotCount()).isZero();
            assertThat(simulation.bodyCount()).isZero();
            assertThat(simulation.inputsApplied()).isEqualTo(1);
        }
    }

    @Test
    void closingTwiceIsHarmlessAndUseAfterwardsIsRefused() throws Exception {
        EnginePile<?> simulation = engine.create(new BoxPile(3));
        TickDriver driver = new TickDriver(simulation, RATE);
        driver.step(1);
        simulation.close();
        simulation.close();
        assertThatThrownBy(() -> driver.step(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(driver::capture).hasMessageContaining("3 boxes was closed");
        assertThatThrownBy(simulation::hash).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> simulation.position(0).x()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> simulation.push(0, 1, 1, 1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void worldsComeAndGo() {
        for (int round = 0; round < 20; round++) {
            engine.create(new BoxPile(10)).close();
        }
    }

    @Test
    void worldsThatTakeTurnsDoNotDisturbEachOther() throws Exception {
        List<Long> alone = hashes(MANY, 100, -1);
        List<Long> inTurns = new ArrayList<>();
        try (EnginePile<?> one = engine.create(new BoxPile(MANY));
                EnginePile<?> other = engine.create(new BoxPile(MANY / 2))) {
            TickDriver driver = new TickDriver(one, RATE);
            TickDriver otherDriver = new TickDriver(other, RATE);
            for (int tick = 0; tick < 100; tick++) {
                driver.step(1);
                inTurns.add(one.hash());
                otherDriver.step(1);
            }
        }
        assertThat(inTurns).isEqualTo(alone);
    }

    private List<Long> hashes(int boxes, int ticks, int pushBeforeTick) throws Exception {
        List<Long> hashes = new ArrayList<>();
        try (EnginePile<?> simulation = engine.create(new BoxPile(boxes))) {
            TickDriver driver = new TickDriver(simulation, RATE);
            for (int tick = 0; tick < ticks; tick++) {
                if (tick == pushBeforeTick) {
                    driver.offer(InputKind.APPLICATION, PushControls.PUSH_ONE, 17, 4);
                }
                driver.step(1);
                hashes.add(simulation.hash());
            }
        }
        return hashes;
    }

    private static List<Double> heights(Snapshot snapshot) {
        List<Double> heights = new ArrayList<>();
        for (int body = 0; body < snapshot.poses().slotCount(); body++) {
            heights.add((double) snapshot.poses().blockOf(body).py[body & PoseBlock.MASK]);
        }
        return heights;
    }
}
