package dev.escapement.minie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.jme3.app.LegacyApplication;
import com.jme3.app.state.AppStateManager;
import com.jme3.bullet.BulletAppState;
import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.PhysicsTickListener;
import com.jme3.bullet.collision.shapes.BoxCollisionShape;
import com.jme3.bullet.control.RigidBodyControl;
import com.jme3.math.Vector3f;
import com.jme3.scene.Node;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The state on a real physics thread, with jMonkeyEngine's own manager of states. */
@Timeout(60)
class MinieAppStateTest {

    private final MinieSpace space = new MinieSpace(PhysicsSpace.BroadphaseType.DBVT);
    private final Yard yard = new Yard(space);
    private final MinieAppState state = new MinieAppState(
            space, builder -> builder.rate(TickRate.hertz(240)).onFailure(cause -> {}));
    private final AppStateManager states = new LegacyApplication().getStateManager();

    @AfterEach
    void close() {
        states.cleanup();
        state.physics().close();
    }

    private void frame() {
        states.update(0.01f);
        yard.endFrame();
    }

    private void await(ServiceState next) {
        while (state.physics().state() != next) {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldCallListenersOnThePhysicsThread() {
        CompletableFuture<Thread> ofStep = new CompletableFuture<>();
        CompletableFuture<Thread> ofCollision = new CompletableFuture<>();
        space.addTickListener(new PhysicsTickListener() {
            @Override
            public void prePhysicsTick(PhysicsSpace stepped, float dtSeconds) {
                ofStep.complete(Thread.currentThread());
            }

            @Override
            public void physicsTick(PhysicsSpace stepped, float dtSeconds) {}
        });
        space.addCollisionListener(event -> ofCollision.complete(Thread.currentThread()));
        states.attach(state);
        frame();
        Thread physics = state.physics()
                .command(tick -> Thread.currentThread())
                .thenApply(answer -> answer.value())
                .join();
        assertThat(physics).isNotSameAs(Thread.currentThread());
        assertThat(ofStep.join()).isSameAs(physics);
        assertThat(ofCollision.join()).isSameAs(physics);
    }

    @Test
    void shouldTickAtTheAccuracyOfTheSpace() {
        MinieSpace fine = new MinieSpace(PhysicsSpace.BroadphaseType.DBVT);
        fine.setAccuracy(1 / 120f);
        try (PhysicsService physics = new MinieAppState(fine).physics()) {
            assertThat(physics.rate()).isEqualTo(TickRate.hertz(120));
        }
    }

    @Test
    void shouldReachTheSpaceByCommandsAlone() throws Exception {
        states.attach(state);
        frame();
        Node ball = new Node("ball");
        RigidBodyControl control = new RigidBodyControl(new BoxCollisionShape(1), 1);
        ball.addControl(control);
        control.setPhysicsLocation(new Vector3f(0, 500, 0));
        assertThatIllegalStateException()
                .isThrownBy(() -> space.add(ball))
                .withMessageContaining("do that in physics.execute(tick -> { ... })");
        assertThat(space.contains(control)).isFalse();
        assertThat(state.physics().failure()).isEmpty();
        state.physics().execute(tick -> space.add(ball)).join();
        while (ball.getLocalTranslation().y == 0) {
            frame();
        }
        assertThat(ball.getLocalTranslation().y).isBetween(400f, 500f);
        assertThat(space.enqueue(() -> space.contains(control)).get()).isTrue();
        state.setEnabled(false);
        await(ServiceState.PAUSED);
        state.setEnabled(true);
        await(ServiceState.RUNNING);
        states.detach(state);
        frame();
        assertThat(state.physics().state()).isEqualTo(ServiceState.CLOSED);
        space.remove(ball); // the space is the game's again
    }

    @Test
    void shouldRefuseASpaceOfAnAttachedBulletAppState() {
        states.attach(new BulletAppState() {
            @Override
            protected PhysicsSpace createPhysicsSpace(Vector3f min, Vector3f max, PhysicsSpace.BroadphaseType type) {
                return space;
            }
        });
        states.attach(state);
        assertThatIllegalStateException()
                .isThrownBy(this::frame)
                .withMessageContaining("an attached BulletAppState updates ")
                .withMessageContaining("detach it before the MinieAppState");
        assertThat(state.physics().state()).isEqualTo(ServiceState.NEW);
    }

    @Test
    void shouldTellAFrameThatPhysicsHasFailed() {
        states.attach(state);
        frame();
        var unused = state.physics().execute(tick -> yard.puck.setEnabled(true));
        await(ServiceState.FAILED);
        assertThatIllegalStateException()
                .isThrownBy(this::frame)
                .withMessage("the physics thread ended")
                .havingCause()
                .withMessageContaining("was enabled");
    }
}
