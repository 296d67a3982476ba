package dev.escapement.render.lwjgl;

import static dev.escapement.render.lwjgl.TestPicture.colourAt;
import static dev.escapement.render.lwjgl.TestPicture.difference;
import static dev.escapement.render.lwjgl.TestPicture.pixels;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.TriangleMesh;
import java.awt.image.BufferedImage;
import java.util.List;
import org.joml.Quaternionf;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;
import org.lwjgl.opengl.GL33C;

class OffscreenPictureTest {

    private static final int CLEARLY = 25;
    private static final SceneView SCENE = new SceneView(5, 1, 4);

    @Test
    void shouldShowALitBoxFloorAndBackground() {
        try (OffscreenPicture picture = TestPicture.open(SCENE)) {
            BufferedImage image = picture.render(Poses.one(0, 1, 0));
            int top = colourAt(image, SCENE, 0, 2, 0);
            int front = colourAt(image, SCENE, 0, 1, 1);
            int right = colourAt(image, SCENE, 1, 1, 0);
            int floor = colourAt(image, SCENE, -3.4f, 0, 3.4f);
            int background = image.getRGB(2, 2) & 0xFFFFFF;
            assertThat(difference(front, floor)).isGreaterThan(CLEARLY);
            assertThat(difference(front, background)).isGreaterThan(CLEARLY);
            assertThat(difference(floor, background)).isGreaterThan(CLEARLY / 4);
            assertThat(difference(top, front)).isGreaterThan(CLEARLY / 2);
            assertThat(difference(front, right)).isGreaterThan(CLEARLY / 2);
        }
    }

    @Test
    void shouldRotateAsJomlDoes() {
        Quaternionf tilt = new Quaternionf().rotationXYZ(0.2f, 0.3f, 0.35f);
        try (OffscreenPicture picture = TestPicture.open(SCENE)) {
            BufferedImage image = picture.render(Poses.one(0, 2, 0, tilt));
            int face = colourOfTilted(image, tilt, 0, 0);
            for (int y = -1; y <= 1; y += 2) {
                assertThat(difference(face, colourOfTilted(image, tilt, 0.75f, 0.75f * y)))
                        .isLessThan(6);
                assertThat(difference(face, colourOfTilted(image, tilt, -0.75f, 0.75f * y)))
                        .isLessThan(6);
                // The viewer stands to the right, so only points beyond the left edge are surely not on the box.
                assertThat(difference(face, colourOfTilted(image, tilt, -1.25f, 0.75f * y)))
                        .isGreaterThan(CLEARLY);
            }
        }
    }

    /** The colour of a point on the plane of the tilted box's front face. */
    private static int colourOfTilted(BufferedImage image, Quaternionf tilt, float x, float y) {
        Vector3f world = tilt.transform(new Vector3f(x, y, 1)).add(0, 2, 0);
        return colourAt(image, SCENE, world.x, world.y, world.z);
    }

    @Test
    void shouldDrawAnyNumberOfBodiesOneAfterAnother() {
        SceneView wide = new SceneView(30, 0.5f, 5);
        try (OffscreenPicture picture = TestPicture.open(wide)) {
            BufferedImage empty = picture.render(Poses.none());
            // 1,500 bodies need a second block; the last body lies in it, at (-0.5, 0.5, 17.5).
            PoseBlocks many = Poses.carpet(1500, 40);
            BufferedImage carpet = picture.render(many);
            int floor = colourAt(empty, wide, -0.5f, 1, 17.5f);
            int last = colourAt(carpet, wide, -0.5f, 1, 17.5f);
            assertThat(difference(last, floor)).isGreaterThan(CLEARLY / 2);
            assertThat(pixels(picture.render(Poses.carpet(3, 2)))).isNotEqualTo(pixels(empty));
            assertThat(pixels(picture.render(many))).isEqualTo(pixels(carpet));
            assertThat(pixels(picture.render(Poses.none()))).isEqualTo(pixels(empty));
        }
    }

    @Test
    void shouldDrawBodiesOfTheirOwnSizesFormsAndColours() {
        BodyShapes shapes = (slot, userData, shape) -> {
            if (slot == 0) {
                shape.sphere(1);
            } else if (slot == 1) {
                shape.box(0.5f, 2, 0.5f);
                shape.colour(0xFF0000);
            } // the third body keeps the default, a cube of the scene's size
        };
        try (OffscreenPicture picture = TestPicture.open(new SceneDrawing(SCENE, shapes))) {
            BufferedImage empty = picture.render(Poses.none());
            BufferedImage image = picture.render(Poses.row(3, -3, 3));
            assertThat(isSeen(image, empty, -3, 1, 0.9f))
                    .as("the sphere's front")
                    .isTrue();
            assertThat(isSeen(image, empty, -3.9f, 1.9f, 0.9f))
                    .as("a sphere has no corner")
                    .isFalse();
            assertThat(isSeen(image, empty, 0, 2.8f, 0.4f)).as("the high box").isTrue();
            int red = colourAt(image, SCENE, 0, 1, 0.49f);
            assertThat(red >> 16).as("%06x", red).isGreaterThan(4 * difference(red & 0xFFFF, 0));
            assertThat(isSeen(image, empty, 3.9f, 1.9f, 0.9f))
                    .as("a cube's corner")
                    .isTrue();
        }
    }

    @Test
    void shouldDrawReportedShapesAndRecolourKinematicBodies() {
        BodyShapes described = (slot, userData, shape) -> {
            switch (slot) {
                case 0 -> shape.sphere(1);
                case 1 -> shape.capsule(0.4f, 0.8f);
                default -> shape.box(0.5f, 2, 0.25f);
            }
        };
        TriangleMesh mesh = new TriangleMesh(new float[] {0.5f, -2, 0, -0.1f, 1, 0.25f, 0, 0, -0.1f});
        List<BodyShape.Form> forms = List.of(
                new BodyShape.Sphere(1), new BodyShape.Capsule(0.4f, 0.8f), new BodyShape.Box(0.5f, 2, 0.25f), mesh);
        PoseBlocks four = Poses.row(4, -3, 2);
        BodyShapes[] now = {described};
        SceneDrawing drawing = new SceneDrawing(SCENE, (slot, user, shape) -> now[0].describe(slot, user, shape));
        try (OffscreenPicture picture = TestPicture.open(drawing)) {
            int[] expected = pixels(picture.render(four));
            now[0] = (slot, user, shape) -> shape.like(new BodyShape(forms.get(slot), false));
            assertThat(pixels(picture.render(four))).isEqualTo(expected);
            now[0] = (slot, user, shape) -> shape.like(new BodyShape(forms.get(slot), slot == 0));
            assertThat(pixels(picture.render(four))).isNotEqualTo(expected);
        }
    }

    private static boolean isSeen(BufferedImage image, BufferedImage empty, float x, float y, float z) {
        return difference(colourAt(image, SCENE, x, y, z), colourAt(empty, SCENE, x, y, z)) > CLEARLY / 2;
    }

    @Test
    void shouldRefuseToDrawWhenClosed() {
        OffscreenPicture picture = TestPicture.open(SCENE);
        picture.close();
        picture.close();
        assertThatThrownBy(() -> picture.render(Poses.none()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("this picture is closed");
    }

    @Test
    void shouldRefuseSizesThatCannotBeDrawn() {
        assertThatThrownBy(() -> OffscreenPicture.open(0, 10, SCENE))
                .isInstanceOf(NoOpenGlException.class)
                .hasMessageContaining("0 x 10");
        assertThatThrownBy(() -> OffscreenPicture.open(100_000, 1, SCENE))
                .as("wider than any driver draws")
                .isInstanceOf(NoOpenGlException.class)
                .hasMessageContaining("100000 x 1");
    }

    @Test
    void shouldLetTwoPicturesTakeTurns() {
        try (OffscreenPicture one = TestPicture.open(SCENE);
                OffscreenPicture other = TestPicture.open(new SceneView(8, 1, 4))) {
            int[] near = pixels(one.render(Poses.one(0, 1, 0)));
            int[] far = pixels(other.render(Poses.one(0, 1, 0)));
            assertThat(far).isNotEqualTo(near);
            assertThat(pixels(one.render(Poses.one(0, 1, 0)))).isEqualTo(near);
        }
    }

    @Test
    void shouldLayAnImageOverThePicturePixelForPixel() throws Exception {
        BufferedImage image = new BufferedImage(2, 3, BufferedImage.TYPE_INT_ARGB_PRE);
        image.setRGB(0, 0, 0xFF0000FF);
        image.setRGB(1, 2, 0x80FF0000);
        try (GlfwWindow window = TestPicture.openWindow(new SceneDrawing(SCENE))) {
            window.backend().open();
            try (ImageOverlay overlay = new ImageOverlay()) {
                GL33C.glClearColor(0, 1, 0, 1);
                GL33C.glClear(GL33C.GL_COLOR_BUFFER_BIT);
                GL33C.glEnable(GL33C.GL_CULL_FACE);
                overlay.draw(image, 4, 1, TestPicture.HEIGHT);
                int[] pixels = new int[TestPicture.WIDTH * TestPicture.HEIGHT];
                GL33C.glReadPixels(
                        0,
                        0,
                        TestPicture.WIDTH,
                        TestPicture.HEIGHT,
                        GL33C.GL_BGRA,
                        GL33C.GL_UNSIGNED_INT_8_8_8_8_REV,
                        pixels);
                GlContext.check("drawing an overlay");
                assertThat(at(pixels, 4, 1)).isEqualTo(0x0000FF);
                assertThat(at(pixels, 5, 1)).as("transparent").isEqualTo(0x00FF00);
                assertThat(at(pixels, 5, 3) >> 16).as("half transparent").isBetween(0x7E, 0x82);
                assertThat(at(pixels, 5, 3) >> 8 & 255).isBetween(0x7D, 0x81);
                assertThat(at(pixels, 6, 1)).as("beside").isEqualTo(0x00FF00);
                assertThat(at(pixels, 4, 0)).as("above").isEqualTo(0x00FF00);
            }
            window.backend().close();
        }
    }

    /** Returns a pixel. Row 0 is the upper one, but OpenGL's rows come from the bottom up. */
    private static int at(int[] pixels, int x, int y) {
        return pixels[(TestPicture.HEIGHT - 1 - y) * TestPicture.WIDTH + x] & 0xFFFFFF;
    }
}
