package example.lwjgl;

import dev.escapement.render.FrameView;
import dev.escapement.render.lwjgl.GlfwWindow;
import dev.escapement.render.lwjgl.WindowDrawing;
import org.joml.Vector3f;
import org.lwjgl.opengl.GL33C;

/** A window that draws more than equal cubes: other shapes, or your own OpenGL. */
final class OwnDrawing implements WindowDrawing {

    static final long BALL = 1;

    private final Vector3f position = new Vector3f();

    static GlfwWindow openWithShapes() {
        return GlfwWindow.open("A red ball", 1280, 720, (slot, userData, shape) -> {
            if (userData == BALL) {
                shape.sphere(0.3f); // or box(halfX, halfY, halfZ), capsule(radius, halfHeight)
                shape.colour(0xC02010);
            }
        });
    }

    @Override
    public void open() {
        GL33C.glEnable(GL33C.GL_DEPTH_TEST); // create your shaders and meshes here
    }

    @Override
    public void draw(FrameView view, int width, int height) {
        GL33C.glViewport(0, 0, width, height);
        float bright = view.positionOfSlot(0, position).y / 10; // the sky is brighter if the body in slot 0 is higher
        GL33C.glClearColor(bright, bright, 1, 1);
        GL33C.glClear(GL33C.GL_COLOR_BUFFER_BIT | GL33C.GL_DEPTH_BUFFER_BIT);
    }
}
