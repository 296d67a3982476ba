package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyCreationSettings;
import com.github.stephengold.joltjni.BoxShape;
import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.VehicleCollisionTesterCastCylinder;
import com.github.stephengold.joltjni.VehicleConstraint;
import com.github.stephengold.joltjni.VehicleConstraintSettings;
import com.github.stephengold.joltjni.VehicleDifferentialSettings;
import com.github.stephengold.joltjni.WheelSettingsWv;
import com.github.stephengold.joltjni.WheeledVehicleController;
import com.github.stephengold.joltjni.WheeledVehicleControllerSettings;
import com.github.stephengold.joltjni.enumerate.EActivation;
import com.github.stephengold.joltjni.enumerate.EMotionType;
import com.github.stephengold.joltjni.enumerate.EOverrideMassProperties;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A car with four wheels and an engine, driven round and round a track over kerbs. */
class JoltCarTest {

    /** {@code -Dcar.seconds=3600} is an hour. */
    private static final int SECONDS = Integer.getInteger("car.seconds", 60);

    private static final float WHEEL_RADIUS = 0.35f;
    private static final double TRACK_RADIUS = 250;
    private static final double TRACK_WIDTH = 30;
    private static final double KERB_HEIGHT = 0.15;
    private static final int KERBS = 16;
    private static final double[] SPEEDS = {8, 20, 40};
    private static final int SECONDS_A_SPEED = 5;

    /** Above the floor of the game's world. */
    private static final double ROAD_Y = 10;

    private final JoltGameWorld game = new JoltGameWorld();
    private final JoltWorldSimulation simulation = game.simulateWithoutContacts();
    private final ManualClock clock = new ManualClock(0);
    private final Body car = newCar();
    private final VehicleConstraint vehicle = newVehicle();
    private final WheeledVehicleController controller = (WheeledVehicleController) vehicle.getController();

    private double fastest;
    private double highest;

    @AfterEach
    void close() {
        simulation.close();
        game.close();
    }

    private Body add(BoxShape shape, double x, double y, double z, Quat turned, EMotionType motion) {
        BodyCreationSettings settings = new BodyCreationSettings(
                shape, new RVec3(x, y, z), turned, motion, motion == EMotionType.Static ? 0 : 1);
        if (motion == EMotionType.Dynamic) {
            settings.setOverrideMassProperties(EOverrideMassProperties.CalculateInertia);
            settings.getMassPropertiesOverride().setMass(1500);
        }
        Body body = game.bodyInterface().createBody(settings);
        game.bodyInterface().addBody(body, EActivation.Activate);
        return body;
    }

    private Body newCar() {
        return add(new BoxShape(0.9f, 0.25f, 2), TRACK_RADIUS, ROAD_Y + 1, 0, new Quat(), EMotionType.Dynamic);
    }

    private VehicleConstraint newVehicle() {
        VehicleConstraintSettings chassis = new VehicleConstraintSettings();
        for (int wheel = 0; wheel < 4; wheel++) {
            boolean isFront = wheel < 2;
            WheelSettingsWv settings = new WheelSettingsWv();
            settings.setPosition(new Vec3(wheel % 2 == 0 ? 0.9f : -0.9f, -0.1f, isFront ? 1.4f : -1.4f));
            settings.setRadius(WHEEL_RADIUS);
            settings.setWidth(0.2f);
            settings.setMaxSteerAngle(isFront ? 0.5f : 0);
            chassis.addWheels(settings);
        }
        WheeledVehicleControllerSettings power = new WheeledVehicleControllerSettings();
        power.getEngine().setMaxTorque(900);
        power.setNumDifferentials(2);
        for (int axle = 0; axle < 2; axle++) {
            VehicleDifferentialSettings differential = power.getDifferential(axle);
            differential.setLeftWheel(2 * axle);
            differential.setRightWheel(2 * axle + 1);
            differential.setEngineTorqueRatio(0.5f);
        }
        chassis.setMaxPitchRollAngle(0.7f);
        chassis.setController(power);
        VehicleConstraint made = new VehicleConstraint(car, chassis);
        made.setVehicleCollisionTester(new VehicleCollisionTesterCastCylinder(1));
        game.world().addConstraint(made);
        game.world().addStepListener(made.getStepListener());
        return made;
    }

    /** A road, and kerbs across it, some of them close together. */
    private void buildTrack() {
        float half = (float) (TRACK_RADIUS + TRACK_WIDTH);
        add(new BoxShape(half, 0.5f, half), 0, ROAD_Y - 0.5, 0, new Quat(), EMotionType.Static);
        for (int kerb = 0; kerb < KERBS; kerb++) {
            double angle = 2 * Math.PI * (kerb + 0.3 * (kerb % 3)) / KERBS;
            add(
                    new BoxShape((float) TRACK_WIDTH / 2, (float) KERB_HEIGHT, 0.25f),
                    TRACK_RADIUS * Math.cos(angle),
                    ROAD_Y,
                    TRACK_RADIUS * Math.sin(angle),
                    new Quat(0, (float) -Math.sin(angle / 2), 0, (float) Math.cos(angle / 2)),
                    EMotionType.Static);
        }
    }

    /** Steers towards the middle of the road ahead, and holds the speed. */
    private void drive(double speedWanted) {
        RVec3 at = car.getPosition();
        Quat turned = car.getRotation();
        Vec3 velocity = car.getLinearVelocity();
        double speed = Math.hypot(velocity.getX(), velocity.getZ());
        double ahead = Math.atan2(at.zz(), at.xx()) + (6 + 0.6 * speed) / TRACK_RADIUS;
        double toX = TRACK_RADIUS * Math.cos(ahead) - at.xx();
        double toZ = TRACK_RADIUS * Math.sin(ahead) - at.zz();
        double forwardX = 2 * (turned.getX() * turned.getZ() + turned.getW() * turned.getY());
        double forwardZ = 1 - 2 * (turned.getX() * turned.getX() + turned.getY() * turned.getY());
        double left = Math.atan2(forwardZ * toX - forwardX * toZ, forwardX * toX + forwardZ * toZ);
        float steer = (float) Math.max(-1, Math.min(1, -3 * left));
        float throttle = (float) Math.max(0, Math.min(1, speedWanted - speed));
        float brake = speed > speedWanted + 3 ? 0.5f : 0;
        controller.setDriverInput(throttle, steer, brake, 0);
        game.bodyInterface().activateBody(car.getId());
        fastest = Math.max(fastest, speed);
        highest = Math.max(highest, at.yy() - ROAD_Y);
    }

    /** Whether the car lies on its side, or is off the road. */
    private boolean isLost() {
        RVec3 at = car.getPosition();
        Quat turned = car.getRotation();
        double up = 1 - 2 * (turned.getX() * turned.getX() + turned.getZ() * turned.getZ());
        double off = Math.abs(Math.hypot(at.xx(), at.zz()) - TRACK_RADIUS);
        return up < 0.2 || off > TRACK_WIDTH / 2;
    }

    /** Puts the car on the middle of the road at a speed, and says so. */
    private void putBack(double speed) {
        RVec3 at = car.getPosition();
        double angle = Math.atan2(at.zz(), at.xx());
        game.bodyInterface()
                .setPositionAndRotation(
                        car.getId(),
                        new RVec3(TRACK_RADIUS * Math.cos(angle), ROAD_Y + 0.8, TRACK_RADIUS * Math.sin(angle)),
                        new Quat(0, (float) -Math.sin(angle / 2), 0, (float) Math.cos(angle / 2)),
                        EActivation.Activate);
        car.setLinearVelocity(new Vec3((float) (-speed * Math.sin(angle)), 0, (float) (speed * Math.cos(angle))));
        car.setAngularVelocity(new Vec3());
        simulation.teleported(car);
    }

    /** At 20 Hz by up to 2 m a tick, beyond the distance from which a jump is looked for. */
    @ParameterizedTest
    @CsvSource({"100, 1", "20, 4"})
    void shouldFindNoJumpsOfACarOverKerbs(int hertz, int collisionSteps) {
        buildTrack();
        simulation.collisionSteps(collisionSteps);
        simulation.attach(car, 1);
        for (int wheel = 0; wheel < 4; wheel++) {
            simulation.attachPart(
                    JoltWorldSimulation.wheel(
                            vehicle, wheel, () -> car.getLinearVelocity().length() / WHEEL_RADIUS),
                    2 + wheel);
        }
        TickRate rate = TickRate.hertz(hertz);
        try (InlineDriver driver = PhysicsService.builder(simulation).rate(rate).inline(clock)) {
            for (int tick = 0; tick < SECONDS * hertz; tick++) {
                double speed = SPEEDS[tick / hertz / SECONDS_A_SPEED % SPEEDS.length];
                if (tick % (SECONDS_A_SPEED * hertz) == 0 || isLost()) {
                    putBack(speed);
                }
                drive(speed);
                clock.advance(rate.nanosAt(1));
                assertThat(driver.runDueTicks()).isEqualTo(1);
            }
        }
        assertThat(simulation.counts().get("found-jumps")).isZero();
        assertThat(fastest).isGreaterThan(38);
        assertThat(highest).as("metres above the road").isGreaterThan(2);
    }
}
