package dev.escapement.minie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.PhysicsSpace.BroadphaseType;
import com.jme3.bullet.collision.shapes.BoxCollisionShape;
import com.jme3.bullet.control.GhostControl;
import com.jme3.bullet.control.RigidBodyControl;
import com.jme3.math.Vector3f;
import com.jme3.scene.Node;
import com.jme3.scene.Spatial;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameView;
import dev.escapement.render.tools.AnimationError;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MinieSpaceTest {

    private static final TickRate RATE = TickRate.hertz(60);

    private final MinieSpace space = new MinieSpace(BroadphaseType.DBVT);
    private final Yard yard = new Yard(space);
    private final ManualClock clock = new ManualClock(0);
    private final InlineDriver driver =
            PhysicsService.builder(space.ticks()).rate(RATE).inline(clock);
    private final FrameView view = FrameView.of(driver.newReader());
    private final MinieAppState.Spatials spatials = new MinieAppState.Spatials(space, view);

    @AfterEach
    void close() {
        spatials.close();
        driver.close();
    }

    private void runUntil(long nanos) {
        while (driver.nextDueNanos() <= nanos) {
            clock.advance(driver.nextDueNanos() - clock.nanoTime());
            yard.play();
            driver.runDueTicks(1);
        }
        clock.advance(nanos - clock.nanoTime());
    }

    /** Shows a frame as jMonkeyEngine does: app states, then the controls of the spatials. */
    private void frame(long nanos) {
        runUntil(nanos);
        spatials.advance(nanos);
        yard.endFrame();
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 144})
    void shouldMoveASceneEvenly(int framesPerSecond) {
        Map<String, AnimationError> errors = new TreeMap<>();
        for (int n = 1; n < 10 * framesPerSecond; n++) {
            long nanos = n * 1_000_000_000L / framesPerSecond;
            frame(nanos);
            if (n < 2 * framesPerSecond) {
                continue; // until the car and the characters have landed
            }
            for (String name : new String[] {"puck", "car", "wheel 3", "guard", "hero"}) {
                double seconds = yard.at(name).x / Yard.METRES_PER_SECOND;
                AnimationError error = errors.computeIfAbsent(name, AnimationError::new);
                error.frame(Math.round(seconds * 1e9), view.window().timeline(), nanos);
            }
        }
        assertThat(errors.values())
                .hasSize(5)
                .allSatisfy(error -> assertThat(error.percentileNanos(99)).isLessThan(500_000));
        assertThat(yard.at("car").x).isGreaterThan(25);
    }

    @Test
    void shouldHearEachCollisionOnceAsBefore() {
        Yard before = new Yard(new PhysicsSpace(BroadphaseType.DBVT));
        for (int n = 0; n < 300; n++) {
            before.step();
        }
        PhysicsSpace.setLocalThreadPhysicsSpace(null);
        runUntil(RATE.nanosAt(300));
        assertThat(yard.heard).hasSizeGreaterThan(200).isEqualTo(before.heard);
    }

    /** An inline view shows exactly the tick before, so that both scenes can be compared. */
    @Test
    void shouldShowTheSceneAsBefore() {
        Yard before = new Yard(new PhysicsSpace(BroadphaseType.DBVT));
        spatials.show(FrameView.inline(driver.newReader()));
        for (int n = 1; n <= 80; n++) {
            frame(RATE.nanosAt(n));
            if (n > 1) {
                before.step();
            }
        }
        before.endFrame();
        assertThat(before.at("hero").y).as("the hero, after one jump").isBetween(0.5f, 1.5f);
        before.root.depthFirstTraversal(expected -> {
            Spatial shown = yard.root.getChild(expected.getName());
            if (shown != null) {
                float distance = shown.getWorldTranslation().distance(expected.getWorldTranslation());
                float cosine = shown.getWorldRotation().dot(expected.getWorldRotation());
                // Bullet starts wheels with uninitialised memory, so that cars differ a little, and wheels in their
                // turn.
                boolean isWheel = expected.getName().startsWith("wheel ");
                assertThat(distance).as(expected.getName()).isCloseTo(0, within(0.02f));
                assertThat(isWheel ? 1 : Math.abs(cosine))
                        .as(expected.getName())
                        .isCloseTo(1, within(1e-3f));
            }
        });
    }

    @Test
    void shouldPlaceAWheelInTheWorldBeforeItsCarToo() {
        ShownSpatial car = ShownSpatial.of(yard.car);
        car.wheels.get(3).place(1, 2, 3, 0, 0, 0, 1);
        car.place(1, 3, 3, 0, 1, 0, 0);
        assertThat(yard.at("wheel 3").distance(new Vector3f(1, 2, 3))).isLessThan(1e-3f);
    }

    @Test
    void shouldTakeABodyOutAndPutItBack() {
        frame(RATE.nanosAt(10));
        Node box = (Node) yard.root.getChild("box 199");
        RigidBodyControl control = box.getControl(RigidBodyControl.class);
        control.setEnabled(false);
        assertThat(space.contains(control)).isFalse();
        frame(RATE.nanosAt(20));
        box.setLocalTranslation(box.getParent().worldToLocal(new Vector3f(50, 60, 50), null));
        control.setEnabled(true);
        frame(RATE.nanosAt(40));
        assertThat(yard.at("box 199").x).isCloseTo(50, within(0.01f));
        assertThat(yard.at("box 199").y).as("it falls").isBetween(58f, 59.9f);
        space.remove(box);
        space.remove(box);
        assertThat(space.contains(control)).isFalse();
        frame(RATE.nanosAt(60));
        space.add(box);
        frame(RATE.nanosAt(80));
        assertThat(space.contains(control)).isTrue();
        assertThat(yard.at("box 199").y).isLessThan(58);
    }

    @Test
    void shouldRefuseWhatCannotBeShownFromAnotherThread() {
        RigidBodyControl lost = new RigidBodyControl(new BoxCollisionShape(1), 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> space.add(lost))
                .withMessageContaining("has no spatial to move: call spatial.addControl(control) before space.add");
        space.add(new RigidBodyControl(new BoxCollisionShape(1), 0)); // a wall that nothing shows
        Node lift = new Node("lift");
        lift.addControl(lost);
        lost.setKinematic(true);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> space.add(lift))
                .withMessageContaining("follows its spatial")
                .withMessageContaining("call setKinematicSpatial(false)");
        lost.setKinematicSpatial(false);
        space.add(lift);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> space.add(new GhostControl(new BoxCollisionShape(1))))
                .withMessageContaining("add a RigidBodyControl, VehicleControl, CharacterControl or");
    }

    @Test
    void shouldRefuseAControlThatWasEnabledInTheSpace() {
        runUntil(RATE.nanosAt(1));
        yard.puck.setEnabled(true);
        assertThatIllegalStateException()
                .isThrownBy(() -> runUntil(RATE.nanosAt(2)))
                .withMessageContaining("do not call setEnabled(true) while it is in the space");
    }

    @Test
    void shouldRefuseASpaceThatTheGameUpdates() {
        runUntil(RATE.nanosAt(1));
        space.update(1 / 60f, 0);
        assertThatIllegalStateException()
                .isThrownBy(() -> runUntil(RATE.nanosAt(2)))
                .withMessageContaining("leave that to the service, or close it first");
    }
}
