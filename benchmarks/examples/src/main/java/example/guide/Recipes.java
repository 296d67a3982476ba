package example.guide;

import dev.escapement.physics.TickingWorld;
import dev.escapement.render.FrameView;
import dev.escapement.render.tools.InstanceBuffer;
import dev.escapement.state.input.InputKind;
import java.nio.FloatBuffer;
import org.joml.Matrix4f;
import org.joml.Vector3f;

/** Cameras that neither jitter nor lag: the code of render-thread/docs/poses.md. */
final class Recipes {

    interface Renderer {
        void draw(Matrix4f worldToCamera, FloatBuffer instances);
    }

    record Look(float yaw, float pitch) {}

    private static final float RADIANS_A_COUNT = 0.001f;
    private static final int LOOK = 1;

    // Volatile: written only by the window's thread, read by the render thread.
    private volatile Look look = new Look(0, 0);
    private final Vector3f eye = new Vector3f();
    private final Vector3f target = new Vector3f();
    private final Matrix4f worldToCamera = new Matrix4f();
    private long previousDisplayNanos;

    void follow(FrameView view, long body, InstanceBuffer buffer, Renderer renderer) {
        if (view.advance(System.nanoTime())) {
            view.position(body, eye).add(0, 2, 5); // the camera's position: behind where this frame shows the body
            renderer.draw(worldToCamera, buffer.write(view.interpolator(), eye.x, eye.y, eye.z));
        }
    }

    void followSoftly(FrameView view, long body) {
        double stepSeconds = (view.clock().displayNanos() - previousDisplayNanos) / 1e9;
        float share = (float) (1 - Math.exp(-stepSeconds / 0.1)); // equally fast at any frame rate
        eye.lerp(view.position(body, target), share);
        previousDisplayNanos = view.clock().displayNanos();
    }

    boolean mouseMoved(TickingWorld physics, long nanos, float right, float down) {
        Look before = look;
        Look now = new Look(before.yaw() - right * RADIANS_A_COUNT, before.pitch() - down * RADIANS_A_COUNT);
        look = now; // one object, so that no frame combines the yaw of one event with the pitch of another
        return physics.input().offer(nanos, InputKind.APPLICATION, LOOK, now.yaw(), now.pitch());
    }

    void drawFirstPerson(
            FrameView view, long nowNanos, long displayNanos, long body, InstanceBuffer buffer, Renderer renderer) {
        if (view.advance(nowNanos, displayNanos)) {
            view.position(body, eye).add(0, 1.7f, 0); // the position is interpolated like that of all bodies
            Look latest = look; // the direction is the newest, not interpolated
            worldToCamera.rotationX(-latest.pitch()).rotateY(-latest.yaw());
            renderer.draw(worldToCamera, buffer.write(view.interpolator(), eye.x, eye.y, eye.z));
        }
    }
}
