package dev.escapement.physics.bullet;

import static org.assertj.core.api.Assertions.assertThat;

import com.jme3.bullet.collision.shapes.BoxCollisionShape;
import com.jme3.bullet.objects.PhysicsCharacter;
import com.jme3.bullet.objects.PhysicsVehicle;
import com.jme3.math.Vector3f;
import dev.escapement.physics.world.Part;
import dev.escapement.physics.world.SlowTicks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BulletPartsTest {

    private static final float RADIUS = 0.3f;

    private final BulletGameWorld game = new BulletGameWorld();
    private final BulletWorldSimulation simulation = new BulletWorldSimulation(game.world());
    private final SlowTicks ticks = new SlowTicks(simulation);

    @AfterEach
    void close() {
        ticks.close();
        game.close();
    }

    /** The speeds turn the wheels by less than a quarter turn up to more than half a turn a tick; the car drives along z. */
    @ParameterizedTest
    @ValueSource(floats = {5, 25, -25})
    void shouldRollAWheelAsFarAsItsCar(float speed) {
        PhysicsVehicle car = new PhysicsVehicle(new BoxCollisionShape(0.5f), 400);
        car.setPhysicsLocation(new Vector3f(0, 1, 0));
        game.world().addCollisionObject(car);
        for (int wheel = 0; wheel < 4; wheel++) {
            Vector3f at = new Vector3f(wheel % 2 == 0 ? 0.5f : -0.5f, -0.3f, wheel < 2 ? 0.5f : -0.5f);
            car.addWheel(at, new Vector3f(0, -1, 0), new Vector3f(-1, 0, 0), 0.3f, RADIUS, wheel < 2);
        }
        simulation.attach(car, 0);
        Part wheel = simulation.attachPart(simulation.wheel(car, 0), 1);
        ticks.tick(10); // until the car stands on its wheels
        car.setLinearVelocity(new Vector3f(0, 0, speed));
        ticks.tick(4);
        ticks.assertRolls(simulation.idOf(car), wheel, 0.3 * speed, RADIUS);
        assertThat(simulation.counts()).containsEntry("detected-teleports", 0L);
    }

    /** Coins are bodies without a contact response; the floor is not attached. */
    @Test
    void shouldShowACharacterAndTellWhatItWalksThrough() {
        PhysicsCharacter character = new PhysicsCharacter(new BoxCollisionShape(0.5f), 0.1f);
        character.setPhysicsLocation(new Vector3f(0, 2, 0));
        character.setGravity(0);
        game.world().addCollisionObject(character);
        Part part = simulation.attachPart(simulation.character(character), 77);
        character.setWalkDirection(new Vector3f(0.25f, 0, 0));
        ticks.walkThroughCoins(game, simulation, part, tick -> {});
        double x = character.getPhysicsLocation(null).x;
        assertThat(x).isGreaterThan(20);
        assertThat(SlowTicks.pose(ticks.view, part.id())[0]).isBetween(x - 0.6, x + 0.01);
    }
}
