package dev.escapement.render.lwjgl;

/**
 * A size in pixels with the camera made for it.
 *
 * <p>Immutable; the main thread makes one when a window's size changes, and the render thread draws with it.
 */
record Viewport(int width, int height, Camera camera) {

    static Viewport of(SceneView scene, int width, int height) {
        return new Viewport(width, height, Camera.framing(scene, width, height));
    }
}
