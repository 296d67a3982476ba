package dev.escapement.render.lwjgl;

import org.joml.Matrix4f;
import org.joml.Matrix4fc;
import org.joml.Vector2f;
import org.joml.Vector3f;
import org.joml.Vector3fc;

/**
 * Looks down on the scene from a corner, as near as the floor and the pile just fit.
 *
 * <p>Immutable; any thread may use it.
 */
final class Camera {

    private static final float VERTICAL_FIELD_OF_VIEW = (float) Math.toRadians(32);
    private static final float ELEVATION = (float) Math.toRadians(24);
    // Less than 45 degrees, so that +x stays to the right and +z towards the viewer, as the arrow keys push.
    private static final float AZIMUTH = (float) Math.toRadians(30);
    private static final float MARGIN = 1.06f;

    private final Matrix4f worldToClip = new Matrix4f();
    private final Matrix4f clipToWorld = new Matrix4f();
    private final Vector3f eye = new Vector3f();

    private Camera() {}

    /** A camera for a picture of a size that frames a scene. */
    static Camera framing(SceneView scene, int width, int height) {
        Vector3f back =
                new Vector3f((float) (Math.sin(AZIMUTH) * Math.cos(ELEVATION)), (float) Math.sin(ELEVATION), (float)
                        (Math.cos(AZIMUTH) * Math.cos(ELEVATION)));
        Vector3f right = new Vector3f(0, 1, 0).cross(back).normalize();
        Vector3f up = new Vector3f(back).cross(right);
        float aspect = (float) width / height;
        float slopeY = (float) Math.tan(VERTICAL_FIELD_OF_VIEW / 2);

        Fit vertical = new Fit();
        Fit horizontal = new Fit();
        for (Vector3fc corner : corners(scene)) {
            float towardsEye = corner.dot(back);
            vertical.include(corner.dot(up), towardsEye, slopeY / MARGIN);
            horizontal.include(corner.dot(right), towardsEye, slopeY * aspect / MARGIN);
        }
        float distance = Math.max(vertical.distance(), horizontal.distance());

        Camera camera = new Camera();
        back.mul(distance, camera.eye)
                .fma(vertical.offset(slopeY / MARGIN), up)
                .fma(horizontal.offset(slopeY * aspect / MARGIN), right);
        camera.worldToClip
                .perspective(VERTICAL_FIELD_OF_VIEW, aspect, distance * 0.05f, distance * 4)
                .lookAlong(new Vector3f(back).negate(), new Vector3f(0, 1, 0))
                .translate(-camera.eye.x, -camera.eye.y, -camera.eye.z);
        camera.worldToClip.invert(camera.clipToWorld);
        return camera;
    }

    /** What has to be visible: the floor, and the top of a pile that covers half its width. */
    static Vector3fc[] corners(SceneView scene) {
        float floor = scene.floorHalfExtent();
        float pile = floor / 2;
        float top = scene.pileHeight();
        return new Vector3fc[] {
            new Vector3f(-floor, 0, -floor), new Vector3f(floor, 0, -floor),
            new Vector3f(-floor, 0, floor), new Vector3f(floor, 0, floor),
            new Vector3f(-pile, top, -pile), new Vector3f(pile, top, -pile),
            new Vector3f(-pile, top, pile), new Vector3f(pile, top, pile),
        };
    }

    Matrix4fc worldToClip() {
        return worldToClip;
    }

    Vector3fc eye() {
        return eye;
    }

    /**
     * Finds what a point of the picture shows of the floor.
     *
     * @param x     -1 at the left edge, 1 at the right
     * @param y     -1 at the bottom edge, 1 at the top
     * @param floor receives the point's x and z, in metres
     * @return whether the floor, however far it reaches, is met there
     */
    boolean floorPoint(float x, float y, Vector2f floor) {
        Vector3f far = clipToWorld.transformProject(new Vector3f(x, y, 1));
        far.sub(eye);
        if (far.y >= 0) {
            return false;
        }
        float scale = -eye.y / far.y;
        floor.set(eye.x + far.x * scale, eye.z + far.z * scale);
        return true;
    }

    /** How far the eye has to be, along one axis of the picture, so that nothing sticks out at either end. */
    private static final class Fit {
        private float positive = Float.NEGATIVE_INFINITY;
        private float negative = Float.NEGATIVE_INFINITY;

        void include(float across, float towardsEye, float slope) {
            positive = Math.max(positive, across / slope + towardsEye);
            negative = Math.max(negative, -across / slope + towardsEye);
        }

        float distance() {
            return (positive + negative) / 2;
        }

        float offset(float slope) {
            return slope * (positive - negative) / 2;
        }
    }
}
