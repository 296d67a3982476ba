package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.input.InputSink;
import dev.escapement.state.input.RemoteSources;
import dev.escapement.state.input.TrackedSource;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import org.junit.jupiter.api.Test;

class DragSpringTest {

    private static final long BODY = BodyId.of(1, 5);
    private static final double DT_SECONDS = 0.01;

    private final InputRing ring = new InputRing(16, new ManualClock(0));
    private final InputSampler sampler = new InputSampler(ring);
    private final RemoteSources sources = new RemoteSources(ring);
    private final DragSpring spring = new DragSpring();
    private final double[] position = {3, 0, 0};
    private final double[] velocity = new double[3];

    /** At these distances neighbouring floats are a metre or more apart, so the target must be more exact than a float. */
    @Test
    void shouldPullABodyFarAwayAndReleaseIt() {
        double[] at = {1e7 + 0.3, -3e7 - 0.7, 1e9 + 0.6};
        for (int i = 0; i < 3; i++) {
            position[i] = at[i] + 4;
        }
        DragInput.hold(ring, 0, BODY);
        DragInput.to(ring, 0, at[0], at[1], at[2]);
        double least = position[0];
        for (int i = 0; i < 400; i++) {
            tick();
            least = Math.min(least, position[0]);
        }
        for (int i = 0; i < 3; i++) {
            assertThat(position[i]).isCloseTo(at[i], within(1e-4));
        }
        assertThat(least).as("damped").isGreaterThan(at[0] - 0.6);
        DragInput.end(ring, 0);
        position[0] = -50;
        double vx = velocity[0];
        tick();
        assertThat(velocity[0]).isEqualTo(vx);
        assertThat(spring.slot()).isNegative();
    }

    @Test
    void shouldHoldOnlyTheBodyOfThisSlotAndGeneration() {
        assertThat(spring.isHeld(0)).isFalse();
        DragInput.hold(ring, 0, BODY);
        begin();
        assertThat(spring.slot()).isEqualTo(1);
        assertThat(spring.isHeld(BODY)).isTrue();
        assertThat(spring.isHeld(BodyId.of(1, 7))).isFalse();
        assertThat(spring.isHeld(BodyId.of(2, 5))).isFalse();
        DragInput.hold(ring, 0, BodyId.of(2, 5));
        begin();
        assertThat(spring.isHeld(BODY)).isFalse();
        assertThat(spring.isHeld(BodyId.of(2, 5))).isTrue();
    }

    @Test
    void shouldEndWhenTheSenderLeavesThatBeganIt() {
        TrackedSource one = sources.join();
        TrackedSource two = sources.join();
        DragInput.hold(one, 0, BODY);
        DragInput.hold(two, 0, BODY);
        sources.leave(two);
        begin();
        assertThat(spring.isHeld(BODY)).isTrue();
        sources.leave(one);
        begin();
        assertThat(spring.isHeld(BODY)).isFalse();
    }

    @Test
    void shouldPullWithAForceThatHasABound() {
        DragInput.hold(ring, 0, BODY);
        DragInput.to(ring, 0, 1e6f, 0, 0);
        tick();
        assertThat(velocity[0]).isBetween(0.5, 2.0);
    }

    @Test
    void shouldHoldABodyThatIsNotReportedWhereTo() {
        DragInput.hold(ring, 0, BODY);
        tick();
        assertThat(velocity).containsOnly(0);
        velocity[0] = 1;
        position[0] += DT_SECONDS;
        tick();
        assertThat(velocity[0]).isLessThan(1);
        DragInput.to(ring, 0, 7, 0, 0);
        tick();
        DragInput.hold(ring, 0, BODY);
        double vx = velocity[0];
        tick();
        assertThat(velocity[0]).as("held anew").isEqualTo(vx);
    }

    @Test
    void shouldNotPullToAPlaceThatIsNone() {
        DragInput.hold(ring, 0, BODY);
        DragInput.to(ring, 0, 1, 2, 3);
        ring.offer(0, InputKind.APPLICATION, DragInput.HEIGHT, Float.NaN, 0); // offered without the helper
        ring.offer(0, InputKind.APPLICATION, DragInput.TO, 1, Float.POSITIVE_INFINITY);
        tick();
        assertThat(velocity).containsOnly(0);
    }

    @Test
    void shouldResumeAfterARestore() {
        InputSink ring = sources.join();
        DragInput.hold(ring, 0, BODY);
        DragInput.to(ring, 0, 7, 1, 2);
        tick();
        ring.offer(0, InputKind.APPLICATION, DragInput.REMAINDER, 1e-7f, 2e-7f); // its TO event follows the restore
        ring.offer(0, InputKind.APPLICATION, DragInput.HEIGHT, 4, 3e-7f);
        tick();
        StateBuffer saved = new StateBuffer();
        spring.save(saved);
        DragSpring restored = new DragSpring();
        saved.rewind();
        restored.restore(saved);
        for (int i = 0; i < 2; i++) {
            ring.offer(0, InputKind.APPLICATION, DragInput.TO, 7, 2);
            Tick next = next();
            spring.begin(next);
            restored.begin(next);
            assertThat(restored.isHeld(BODY)).isTrue();
            assertThat(spring.pull(3, i, 1)).isTrue();
            assertThat(restored.pull(3, i, 1)).isTrue();
            assertThat(new double[] {restored.dvx(), restored.dvy(), restored.dvz()})
                    .isEqualTo(new double[] {spring.dvx(), spring.dvy(), spring.dvz()});
        }
    }

    /** If a restored state kept the body for a dragger that has left, nobody else could drag. */
    @Test
    void shouldReleaseTheBodyOfADepartedDragger() {
        TrackedSource one = sources.join();
        InputSink two = sources.join();
        DragInput.hold(one, 0, BODY);
        begin();
        StateBuffer saved = new StateBuffer();
        spring.save(saved);
        restore(saved);
        DragInput.end(ring, 0);
        DragInput.hold(two, 0, BodyId.of(2, 5));
        begin();
        assertThat(spring.isHeld(BODY)).as("it is still there").isTrue();
        sources.leave(one);
        begin();
        assertThat(spring.slot()).isNegative();

        restore(saved);
        begin();
        assertThat(spring.isHeld(BODY)).as("until another takes over").isTrue();
        DragInput.hold(two, 0, BodyId.of(2, 5));
        DragInput.hold(ring, 0, BodyId.of(3, 5));
        DragInput.end(ring, 0);
        begin();
        assertThat(spring.isHeld(BodyId.of(2, 5))).isTrue();
    }

    private void restore(StateBuffer saved) {
        saved.rewind();
        spring.restore(saved);
    }

    private void tick() {
        begin();
        if (spring.isHeld(BODY) && spring.pull(position[0], position[1], position[2])) {
            velocity[0] += spring.dvx();
            velocity[1] += spring.dvy();
            velocity[2] += spring.dvz();
        }
        for (int i = 0; i < 3; i++) {
            position[i] += velocity[i] * DT_SECONDS;
        }
    }

    private void begin() {
        spring.begin(next());
    }

    private Tick next() {
        return Tick.of(TickRate.hertz(100), 1, 0, 0, sampler.sample(0, 0), false);
    }
}
