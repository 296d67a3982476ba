package dev.escapement.physics.bullet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.jme3.bullet.collision.shapes.BoxCollisionShape;
import com.jme3.bullet.objects.PhysicsBody;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.bullet.util.NativeLibrary;
import com.jme3.math.Vector3f;
import com.simsilica.mathd.Vec3d;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the double-precision native library, for which the build starts a separate JVM. */
class BulletDoubleTest {

    private static final double FAR = 1_000_000.3;

    @Test
    void shouldShowADistantBodyExactly() {
        BulletNatives.load();
        assertThat(NativeLibrary.isDoublePrecision()).isTrue();
        UnboundPhysicsSpace space = new UnboundPhysicsSpace(UnboundPhysicsSpace.BroadphaseType.DBVT);
        PhysicsRigidBody floor = new PhysicsRigidBody(new BoxCollisionShape(50, 1, 50), PhysicsBody.massForStatic);
        floor.setPhysicsLocationDp(new Vec3d(FAR, -1, 0));
        space.addCollisionObject(floor);
        PhysicsRigidBody box = new PhysicsRigidBody(new BoxCollisionShape(0.5f), 10);
        box.setPhysicsLocationDp(new Vec3d(FAR, 1, 0));
        box.setLinearVelocity(new Vector3f(3, 0, 0));
        space.addCollisionObject(box);
        ManualClock clock = new ManualClock(0);
        List<Double> contacts = new ArrayList<>();
        try (BulletWorldSimulation simulation = new BulletWorldSimulation(space)) {
            simulation.attach(box, 1);
            InlineDriver driver = PhysicsService.builder(simulation).inline(clock);
            SnapshotReader reader = driver.newReader();
            EventStream events = driver.events(64);
            for (int tick = 0; tick < 60; tick++) {
                clock.advance(10_000_000);
                driver.runDueTicks();
                reader.acquire();
                if (!reader.hasWindow()) {
                    continue;
                }
                Snapshot shown = reader.window().newest();
                Vec3d at = box.getPhysicsLocationDp(null);
                assertThat(shown.originX() + shown.poses().blockOf(0).px[0]).isCloseTo(at.x, within(1e-4));
                assertThat(shown.originY() + shown.poses().blockOf(0).py[0]).isCloseTo(at.y, within(1e-4));
                events.drain(event -> {
                    if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN) {
                        contacts.add(shown.originX() + event.x() - at.x);
                    }
                });
            }
        }
        assertThat(contacts).hasSize(1).allMatch(x -> Math.abs(x) < 0.6);
        space.destroy();
    }
}
