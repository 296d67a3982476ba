package dev.escapement.render.scene;

/**
 * The origin of a renderer's scene in the simulated world. Scenes use floats, which are precise near zero and coarse far from it. So keep
 * the origin near the camera in a large world. After each change, the next frame places the nodes of all bodies again.
 *
 * <pre>{@code
 * origin.set(cameraX, cameraY, cameraZ); // move everything that follows no body by yourself
 * }</pre>
 *
 * <p>The rendering thread only.
 */
public final class SceneOrigin {

    // The scene's origin, in metres in the world.
    double x;
    double y;
    double z;

    /** Creates an origin at the world's origin. */
    public SceneOrigin() {}

    /**
     * Moves the scene's origin.
     *
     * @param worldX metres in the world
     * @param worldY metres in the world
     * @param worldZ metres in the world
     * @throws IllegalArgumentException if a coordinate is not finite; then nothing changes
     */
    public void set(double worldX, double worldY, double worldZ) {
        if (!Double.isFinite(worldX + worldY + worldZ)) {
            throw new IllegalArgumentException("a scene's origin must be finite, but is to be at (" + worldX + ", "
                    + worldY + ", " + worldZ + ")");
        }
        x = worldX;
        y = worldY;
        z = worldZ;
    }
}
