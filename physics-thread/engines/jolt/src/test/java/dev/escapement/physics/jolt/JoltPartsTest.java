package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BoxShape;
import com.github.stephengold.joltjni.CharacterVirtual;
import com.github.stephengold.joltjni.CharacterVirtualSettings;
import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.VehicleCollisionTesterRay;
import com.github.stephengold.joltjni.VehicleConstraint;
import com.github.stephengold.joltjni.VehicleConstraintSettings;
import com.github.stephengold.joltjni.WheelSettingsWv;
import com.github.stephengold.joltjni.WheeledVehicleControllerSettings;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.world.Part;
import dev.escapement.physics.world.SlowTicks;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.BodyId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests wheels and characters of Jolt, which are no bodies, and the effect of a restore on parts. */
class JoltPartsTest {

    private static final double RADIUS = 0.3;

    private final JoltGameWorld game = new JoltGameWorld();
    private final JoltWorldSimulation simulation = game.simulateWithoutContacts();
    private final SlowTicks ticks = new SlowTicks(simulation);

    @AfterEach
    void close() {
        ticks.close();
        game.close();
    }

    private VehicleConstraint vehicle(Body car) {
        VehicleConstraintSettings chassis = new VehicleConstraintSettings();
        for (int wheel = 0; wheel < 4; wheel++) {
            WheelSettingsWv settings = new WheelSettingsWv();
            settings.setPosition(new Vec3(wheel % 2 == 0 ? 0.5f : -0.5f, -0.3f, wheel < 2 ? 0.5f : -0.5f));
            settings.setRadius((float) RADIUS);
            chassis.addWheels(settings);
        }
        chassis.setController(new WheeledVehicleControllerSettings());
        chassis.setMaxPitchRollAngle(0.1f);
        VehicleConstraint vehicle = new VehicleConstraint(car, chassis);
        vehicle.setVehicleCollisionTester(new VehicleCollisionTesterRay(1));
        game.world().addConstraint(vehicle);
        game.world().addStepListener(vehicle.getStepListener());
        return vehicle;
    }

    /** At these speeds, the wheels turn by less than half a turn a tick, or by more, in both directions. The car drives along z. */
    @ParameterizedTest
    @ValueSource(doubles = {14.1, 25, -25})
    void shouldRollAWheelAsFarAsItsCar(double speed) {
        Body car = game.addBox(0, 0.8);
        VehicleConstraint vehicle = vehicle(car);
        simulation.attach(car, 0);
        Part wheel = simulation.attachPart(
                JoltWorldSimulation.wheel(
                        vehicle, 0, () -> car.getLinearVelocity().getZ() / RADIUS),
                1);
        ticks.tick(6); // until the car stands on its wheels
        car.setLinearVelocity(new Vec3(0, 0, (float) speed));
        ticks.tick(14); // until the wheel reaches the speed
        ticks.assertRolls(simulation.idOf(car), wheel, 0.3 * speed, RADIUS);
        assertThat(simulation.counts()).containsEntry("detected-teleports", 0L);
    }

    @Test
    void shouldRefuseAWheelThatAVehicleDoesNotHave() {
        VehicleConstraint vehicle = vehicle(game.addBox(0, 0.8));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JoltWorldSimulation.wheel(vehicle, 4, () -> 0))
                .withMessage("there is no wheel 4: the vehicle has 0 to 3");
    }

    @Test
    void shouldShowACharacterAndTellWhatItWalksThrough() {
        simulation.listenToContacts();
        CharacterVirtualSettings settings = new CharacterVirtualSettings();
        settings.setShape(new BoxShape(0.5f));
        settings.setInnerBodyShape(new BoxShape(0.5f));
        settings.setInnerBodyLayer(1);
        CharacterVirtual character =
                new CharacterVirtual(settings, new RVec3(0, 2, 0), new Quat(0, 1, 0, 0), 0, game.world());
        Part part = simulation.attachPart(JoltWorldSimulation.character(character), 77);
        ticks.walkThroughCoins(game, simulation, part, tick -> {
            character.setPosition(new RVec3(0.25 * tick, 2, 0));
            game.bodyInterface().activateBody(character.getInnerBodyId());
        });
        ticks.tick(2);
        assertThat(SlowTicks.pose(ticks.view, part.id())).containsExactly(24.75, 2, 0, 0, 1, 0, 0);
    }

    /** Returns the source of a part that has the contacts of an unattached body. */
    static Part.Source of(Body body) {
        return new Part.Source() {
            @Override
            public void write(int slot, PoseWriter poses) {
                poses.set(slot, 0, 0, 0, 0, 0, 0, 1);
            }

            @Override
            public Object engineObject() {
                return body.getId();
            }
        };
    }

    private static Part.Source at(float x) {
        return (slot, poses) -> poses.set(slot, x, 0, 0, 0, 0, 0, 1);
    }

    /** A restored body takes the slot of a part that came after the body had gone. */
    @Test
    void shouldKeepPartsThroughARestore() {
        Body box = game.addBox(0, 3);
        simulation.attach(box, 1);
        Part before = simulation.attachPart(at(1), 2);
        ticks.tick(2);
        long kept = before.id();
        long boxId = simulation.idOf(box);
        StateBuffer saved = new StateBuffer();
        simulation.save(saved);
        simulation.detach(box);
        ticks.tick(4); // until no window has the box, so that its slot is free
        Part after = simulation.attachPart(at(2), 3);
        ticks.tick(2);
        assertThat(BodyId.slot(after.id())).isEqualTo(BodyId.slot(boxId));
        simulation.attach(box, 1);
        saved.rewind();
        simulation.restore(saved);
        ticks.tick(2);
        assertThat(simulation.idOf(box)).isEqualTo(boxId);
        assertThat(before.id()).isEqualTo(kept);
        assertThat(BodyId.slot(after.id())).isEqualTo(2);
        assertThat(SlowTicks.pose(ticks.view, kept)[0]).isEqualTo(1);
        assertThat(SlowTicks.pose(ticks.view, boxId)[0]).isZero();
        assertThat(SlowTicks.pose(ticks.view, after.id())[0]).isEqualTo(2);
        assertThat(ticks.view.shown().bodies().count()).isEqualTo(3);
    }
}
