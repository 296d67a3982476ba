package dev.escapement.render.lwjgl;

import org.joml.Matrix4f;
import org.joml.Matrix4fc;
import org.joml.Vector2f;
import org.joml.Vector3f;
import org.joml.Vector3fc;

/**
 * The place and direction from which a scene is seen. At first it looks down from a corner, so near that the floor and the pile just fit.
 *
 * <pre>{@code
 * Camera camera = Camera.framing(scene, width, height).orbit(0.3f, 0).zoom(0.5f);
 * }</pre>
 *
 * <p>Points of the picture have x from -1 at the left edge to 1 at the right, and y from -1 at the bottom to 1 at the top. Angles are in
 * radians. Immutable; any thread may use it.
 */
public final class Camera {

    private static final float VERTICAL_FIELD_OF_VIEW = (float) Math.toRadians(32);
    private static final float ELEVATION = (float) Math.toRadians(24);
    // Less than 45 degrees, so that +x stays to the right and +z towards the viewer, as the arrow keys push.
    private static final float AZIMUTH = (float) Math.toRadians(30);
    private static final float MIN_ELEVATION = (float) Math.toRadians(2);
    private static final float MAX_ELEVATION = (float) Math.toRadians(88);
    private static final float MARGIN = 1.06f;
    private static final float SLOPE_Y = (float) Math.tan(VERTICAL_FIELD_OF_VIEW / 2);

    private final Vector3f target;
    private final float azimuth;
    private final float elevation;
    private final float distance;
    private final float reach;
    private final float aspect;
    private final Vector3f back;
    private final Vector3f right;
    private final Vector3f up;
    private final Vector3f eye;
    private final Matrix4f worldToClip = new Matrix4f();

    private Camera(Vector3fc target, float azimuth, float elevation, float distance, float reach, float aspect) {
        this.target = new Vector3f(target);
        this.azimuth = azimuth;
        this.elevation = elevation;
        this.distance = distance;
        this.reach = reach;
        this.aspect = aspect;
        back = back(azimuth, elevation);
        right = new Vector3f(0, 1, 0).cross(back).normalize();
        up = new Vector3f(back).cross(right);
        eye = new Vector3f(back).mul(distance).add(target);
        worldToClip
                .perspective(VERTICAL_FIELD_OF_VIEW, aspect, distance * 0.05f, distance + reach)
                .lookAlong(new Vector3f(back).negate(), new Vector3f(0, 1, 0))
                .translate(-eye.x, -eye.y, -eye.z);
    }

    /**
     * {@return a camera that just shows a scene, for pictures of that aspect}
     *
     * @param scene  what is to be seen
     * @param width  the picture's width
     * @param height the picture's height
     */
    public static Camera framing(SceneView scene, int width, int height) {
        return framing(scene, width, height, AZIMUTH, ELEVATION);
    }

    /**
     * {@return a camera that just shows a scene from another side, for pictures of that aspect}
     *
     * @param scene     what is to be seen
     * @param width     the picture's width
     * @param height    the picture's height
     * @param azimuth   0 from the front, with +z towards the viewer; more to see it from the right
     * @param elevation 0 from the height of the floor; more to see it from above
     */
    public static Camera framing(SceneView scene, int width, int height, float azimuth, float elevation) {
        float aspect = (float) width / height;
        Vector3f back = back(azimuth, elevation);
        Vector3f right = new Vector3f(0, 1, 0).cross(back).normalize();
        Vector3f up = new Vector3f(back).cross(right);
        Fit vertical = new Fit();
        Fit horizontal = new Fit();
        for (Vector3fc corner : corners(scene)) {
            float towardsEye = corner.dot(back);
            vertical.include(corner.dot(up), towardsEye, SLOPE_Y / MARGIN);
            horizontal.include(corner.dot(right), towardsEye, SLOPE_Y * aspect / MARGIN);
        }
        float distance = Math.max(vertical.distance(), horizontal.distance());
        Vector3f target = new Vector3f()
                .fma(vertical.offset(SLOPE_Y / MARGIN), up)
                .fma(horizontal.offset(SLOPE_Y * aspect / MARGIN), right);
        return new Camera(target, azimuth, elevation, distance, 3 * distance, aspect);
    }

    private static Vector3f back(float azimuth, float elevation) {
        return new Vector3f((float) (Math.sin(azimuth) * Math.cos(elevation)), (float) Math.sin(elevation), (float)
                (Math.cos(azimuth) * Math.cos(elevation)));
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

    /**
     * {@return the camera moved around the point that it looks at} It stays above the floor and below the zenith.
     *
     * @param byAzimuth   to the right
     * @param byElevation up
     */
    public Camera orbit(float byAzimuth, float byElevation) {
        float higher = Math.max(MIN_ELEVATION, Math.min(MAX_ELEVATION, elevation + byElevation));
        return new Camera(target, azimuth + byAzimuth, higher, distance, reach, aspect);
    }

    /**
     * {@return the camera moved without turning}
     *
     * @param byX to the right, in halves of the picture's height at the point that it looks at
     * @param byY up, in the same unit
     */
    public Camera pan(float byX, float byY) {
        float unit = SLOPE_Y * distance;
        Vector3f moved = new Vector3f(target).fma(byX * unit, right).fma(byY * unit, up);
        return new Camera(moved, azimuth, elevation, distance, reach, aspect);
    }

    /**
     * {@return the camera at another distance from the point that it looks at}
     *
     * @param factor below 1 to come nearer
     * @throws IllegalArgumentException if the factor is not positive
     */
    public Camera zoom(float factor) {
        if (!(factor > 0)) {
            throw new IllegalArgumentException("a camera cannot come nearer by a factor of " + factor
                    + "; give a positive one, below 1 to come nearer");
        }
        return new Camera(target, azimuth, elevation, distance * factor, reach, aspect);
    }

    /** The camera at another place, looking at a point; straight down and straight up are 2 degrees off. */
    Camera look(Vector3fc from, Vector3fc at) {
        Vector3f way = new Vector3f(from).sub(at);
        float length = way.length();
        if (!(length > 0) || Float.isInfinite(length)) {
            throw new IllegalArgumentException(
                    "a camera at " + from + " cannot look at " + at + "; give two places that differ");
        }
        float steep = (float) Math.asin(way.y / length);
        float higher = Math.max(-MAX_ELEVATION, Math.min(MAX_ELEVATION, steep));
        return new Camera(at, (float) Math.atan2(way.x, way.z), higher, length, reach, aspect);
    }

    /** {@return the matrix from the world to OpenGL's clip space} */
    public Matrix4fc worldToClip() {
        return worldToClip;
    }

    /** {@return where the camera is, metres} */
    public Vector3fc eye() {
        return eye;
    }

    /**
     * Where the camera looks.
     *
     * @param x   a point of the picture
     * @param y   a point of the picture
     * @param out receives the direction from the eye through that point, a unit vector
     * @return {@code out}
     */
    public Vector3f direction(float x, float y, Vector3f out) {
        return out.set(back)
                .negate()
                .fma(x * SLOPE_Y * aspect, right)
                .fma(y * SLOPE_Y, up)
                .normalize();
    }

    /**
     * Finds the place of the floor that a point of the picture shows.
     *
     * @param x     a point of the picture
     * @param y     a point of the picture
     * @param floor receives the place's x and z, in metres
     * @return whether that line of sight meets the floor, taken as infinite
     */
    public boolean floorPoint(float x, float y, Vector2f floor) {
        Vector3f towards = direction(x, y, new Vector3f());
        if (towards.y >= 0) {
            return false;
        }
        float distance = -eye.y / towards.y;
        floor.set(eye.x + towards.x * distance, eye.z + towards.z * distance);
        return true;
    }

    /** The distance of the eye at which everything fits along one axis of the picture. */
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
