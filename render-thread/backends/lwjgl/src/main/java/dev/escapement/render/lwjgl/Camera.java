package dev.escapement.render.lwjgl;

import org.joml.Matrix4f;
import org.joml.Matrix4fc;
import org.joml.Quaternionf;
import org.joml.Vector2f;
import org.joml.Vector3f;
import org.joml.Vector3fc;

/**
 * The place and direction from which a scene is seen. {@link #framing} makes one that looks down from a corner, so near that the floor and
 * the pile just fit into the picture.
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
    // Less than 45 degrees, so that bodies move where an arrow key points: +x to the right, +z towards the viewer.
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

    /** Rotates the camera's axes to the world's axes. The camera looks along its -z, and its y is up. */
    private final Quaternionf turn;

    private final Vector3f eye;
    private final Matrix4f worldToClip;

    private Camera(Vector3fc target, float azimuth, float elevation, float distance, float reach, float aspect) {
        this.target = new Vector3f(target);
        this.azimuth = azimuth;
        this.elevation = elevation;
        this.distance = distance;
        this.reach = reach;
        this.aspect = aspect;
        turn = turn(azimuth, elevation);
        eye = turn.transform(new Vector3f(0, 0, distance)).add(target);
        worldToClip = new Matrix4f()
                .perspective(VERTICAL_FIELD_OF_VIEW, aspect, distance * 0.05f, distance + reach)
                .rotate(turn.conjugate(new Quaternionf()))
                .translate(-eye.x, -eye.y, -eye.z);
    }

    /**
     * {@return a camera from which a scene exactly fits into pictures of a given size}
     *
     * @param scene  what is to be seen
     * @param width  the picture's width
     * @param height the picture's height
     */
    public static Camera framing(SceneView scene, int width, int height) {
        return framing(scene, width, height, AZIMUTH, ELEVATION);
    }

    /**
     * {@return a camera that just shows a scene from another side, in pictures of a given size}
     *
     * @param scene     what is to be seen
     * @param width     the picture's width
     * @param height    the picture's height
     * @param azimuth   0 from the front, with +z towards the viewer; more to see the scene from the right
     * @param elevation 0 from the height of the floor; more to see the scene from above
     */
    public static Camera framing(SceneView scene, int width, int height, float azimuth, float elevation) {
        float aspect = (float) width / height;
        Quaternionf turn = turn(azimuth, elevation);
        Fit vertical = new Fit(SLOPE_Y / MARGIN);
        Fit horizontal = new Fit(SLOPE_Y * aspect / MARGIN);
        for (Vector3f corner : corners(scene)) {
            turn.transformInverse(corner);
            vertical.include(corner.y, corner.z);
            horizontal.include(corner.x, corner.z);
        }
        float distance = Math.max(vertical.distance(), horizontal.distance());
        Vector3f target = turn.transform(new Vector3f(horizontal.offset(), vertical.offset(), 0));
        return new Camera(target, azimuth, elevation, distance, 3 * distance, aspect);
    }

    private static Quaternionf turn(float azimuth, float elevation) {
        return new Quaternionf().rotationY(azimuth).rotateX(-elevation);
    }

    /** Returns the corners that must be visible: the corners of the floor, and of the top of a pile that covers half its width. */
    static Vector3f[] corners(SceneView scene) {
        float floor = scene.floorHalfExtent();
        float pile = floor / 2;
        float top = scene.pileHeight();
        return new Vector3f[] {
            new Vector3f(-floor, 0, -floor), new Vector3f(floor, 0, -floor),
            new Vector3f(-floor, 0, floor), new Vector3f(floor, 0, floor),
            new Vector3f(-pile, top, -pile), new Vector3f(pile, top, -pile),
            new Vector3f(-pile, top, pile), new Vector3f(pile, top, pile),
        };
    }

    /**
     * {@return the camera moved around the point that it looks at} The camera stays above the floor and below the zenith.
     *
     * @param byAzimuth   to the right
     * @param byElevation up
     */
    public Camera orbit(float byAzimuth, float byElevation) {
        float higher = Math.max(MIN_ELEVATION, Math.min(MAX_ELEVATION, elevation + byElevation));
        return new Camera(target, azimuth + byAzimuth, higher, distance, reach, aspect);
    }

    /**
     * {@return the camera moved without a rotation}
     *
     * @param byX to the right, in halves of the height that the picture has at the point that the camera looks at
     * @param byY up, in the same unit
     */
    public Camera pan(float byX, float byY) {
        float unit = SLOPE_Y * distance;
        Vector3f moved = turn.transform(new Vector3f(byX * unit, byY * unit, 0)).add(target);
        return new Camera(moved, azimuth, elevation, distance, reach, aspect);
    }

    /**
     * {@return the camera at another distance from the point that it looks at}
     *
     * @param factor above 0; below 1 to come nearer
     */
    public Camera zoom(float factor) {
        return new Camera(target, azimuth, elevation, distance * factor, reach, aspect);
    }

    /** Returns the camera at another place, looking at a point. Its direction stays at least 2 degrees away from straight up and down. */
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

    Vector3fc eye() {
        return eye;
    }

    /** Computes the direction from the eye through a point of the picture, as a unit vector; returns {@code out}. */
    Vector3f direction(float x, float y, Vector3f out) {
        return turn.transform(out.set(x * SLOPE_Y * aspect, y * SLOPE_Y, -1)).normalize();
    }

    /**
     * Computes x and z of the point on the infinite floor, in metres, that a point of the picture shows. Returns false for a point of the
     * sky.
     */
    boolean floorPoint(float x, float y, Vector2f floor) {
        Vector3f towards = direction(x, y, new Vector3f());
        if (towards.y >= 0) {
            return false;
        }
        float distance = -eye.y / towards.y;
        floor.set(eye.x + towards.x * distance, eye.z + towards.z * distance);
        return true;
    }

    /** Computes the distance of the eye at which the scene fits along one axis of the picture. */
    private static final class Fit {
        private final float slope;
        private float positive = Float.NEGATIVE_INFINITY;
        private float negative = Float.NEGATIVE_INFINITY;

        Fit(float slope) {
            this.slope = slope;
        }

        void include(float across, float towardsEye) {
            positive = Math.max(positive, across / slope + towardsEye);
            negative = Math.max(negative, -across / slope + towardsEye);
        }

        float distance() {
            return (positive + negative) / 2;
        }

        float offset() {
            return slope * (positive - negative) / 2;
        }
    }
}
