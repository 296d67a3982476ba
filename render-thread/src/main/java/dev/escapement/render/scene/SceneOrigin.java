package dev.escapement.render.scene;

/**
 * Where a renderer's scene has its zero in the simulated world. Scenes are made of floats, which are fine near zero and coarse
 * far from it: in a large world, keep it near the camera, and all that follows bodies is placed anew with the next frame.
 *
 * <pre>{@code
 * origin.set(cameraX, cameraY, cameraZ); // what does not follow bodies has to be moved along
 * }</pre>
 *
 * <p>One thread, that of the renderer.
 */
public final class SceneOrigin {

    private double x;
    private double y;
    private double z;

    /** Creates an origin that is the world's. */
    public SceneOrigin() {}

    /**
     * Moves the scene's zero.
     *
     * @param worldX metres in the world
     * @param worldY metres in the world
     * @param worldZ metres in the world
     * @throws IllegalArgumentException if it is not finite; it stays where it is then
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

    /**
     * Where it is.
     *
     * @return metres along x, in the world
     */
    public double x() {
        return x;
    }

    /**
     * Where it is.
     *
     * @return metres along y, in the world
     */
    public double y() {
        return y;
    }

    /**
     * Where it is.
     *
     * @return metres along z, in the world
     */
    public double z() {
        return z;
    }
}
