package dev.escapement.render.scene;

/**
 * The origin of a renderer's scene in the simulated world. Scenes use floats, which are fine near zero and coarse far from it: in a large
 * world, keep the origin near the camera. The next frame then places all nodes of bodies again.
 *
 * <pre>{@code
 * origin.set(cameraX, cameraY, cameraZ); // move everything that follows no body by yourself
 * }</pre>
 *
 * <p>The rendering thread only.
 */
public final class SceneOrigin {

    // Metres in the world, of the scene's origin.
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
     * @throws IllegalArgumentException if it is not finite; then nothing changes
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
