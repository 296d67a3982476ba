package dev.escapement.render.lwjgl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.joml.Vector2f;
import org.joml.Vector3f;
import org.joml.Vector3fc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CameraTest {

    private final Camera camera = Camera.framing(new SceneView(20, 0.5f, 13.25f), 1280, 720);

    @ParameterizedTest
    @CsvSource({"20, 13.25, 1280, 720", "10, 13.25, 300, 900", "64, 13.25, 1000, 1000", "5, 40, 1600, 200"})
    void shouldFrameFloorAndPileTightly(float floor, float pile, int width, int height) {
        SceneView scene = new SceneView(floor, 0.5f, pile);
        requireTight(scene, Camera.framing(scene, width, height));
        requireTight(scene, Camera.framing(scene, width, height, 0.2f, 0.2f));
    }

    private static void requireTight(SceneView scene, Camera camera) {
        float widest = 0;
        for (Vector3fc corner : Camera.corners(scene)) {
            Vector3f seen = camera.worldToClip().transformProject(new Vector3f(corner));
            assertThat(Math.abs(seen.x)).isLessThan(1);
            assertThat(Math.abs(seen.y)).isLessThan(1);
            assertThat(Math.abs(seen.z)).isLessThan(1);
            widest = Math.max(widest, Math.max(Math.abs(seen.x), Math.abs(seen.y)));
        }
        assertThat(widest).isGreaterThan(0.9f);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "20, -20", "-7.25, 3.5", "-20, 20"})
    void shouldFindTheFloorUnderAPointOfThePicture(float x, float z) {
        Vector3f seen = camera.worldToClip().transformProject(new Vector3f(x, 0, z));
        Vector2f floor = new Vector2f();
        assertThat(camera.floorPoint(seen.x, seen.y, floor)).isTrue();
        assertThat(floor.x).isCloseTo(x, within(0.01f));
        assertThat(floor.y).isCloseTo(z, within(0.01f));
    }

    @Test
    void shouldShowXToTheRightAndZNearer() {
        Vector3f origin = camera.worldToClip().transformProject(new Vector3f());
        assertThat(camera.worldToClip().transformProject(new Vector3f(1, 0, 0)).x)
                .isGreaterThan(origin.x);
        assertThat(camera.worldToClip().transformProject(new Vector3f(0, 0, 1)).z)
                .isLessThan(origin.z);
        assertThat(camera.worldToClip().transformProject(new Vector3f(0, 1, 0)).y)
                .isGreaterThan(origin.y);
    }

    @Test
    void shouldOrbitAroundItsTargetAboveTheFloor() {
        Camera turned = camera.orbit((float) Math.PI, 0);
        assertThat(turned.worldToClip().transformProject(new Vector3f(1, 0, 0)).x)
                .as("from behind, right is left")
                .isLessThan(turned.worldToClip().transformProject(new Vector3f()).x);
        assertThat(camera.orbit(0, -10).eye().y()).isPositive();
        assertThat(camera.orbit(0, 10).eye().y())
                .isGreaterThan(camera.eye().y())
                .isLessThan(4 * camera.eye().y());
    }

    @Test
    void shouldPanAndComeNearer() {
        float before = camera.worldToClip().transformProject(new Vector3f(0, 5, 0)).x;
        float after = camera.pan(1, 0).worldToClip().transformProject(new Vector3f(0, 5, 0)).x;
        assertThat(after).as("the world goes to the left").isLessThan(before);
        assertThat(camera.zoom(0.5f).eye().y()).isLessThan(camera.eye().y());
    }

    @Test
    void shouldStandAndLookWhereItIsPlaced() {
        Vector3f at = new Vector3f(3, 1, -2);
        Camera placed = camera.look(new Vector3f(7, 4, 5), at);
        assertThat(placed.eye().distance(7, 4, 5)).isLessThan(1e-4f);
        assertThat(placed.direction(0, 0, new Vector3f()).angle(new Vector3f(at).sub(7, 4, 5)))
                .isLessThan(1e-3f);
        assertThat(placed.worldToClip().transformProject(new Vector3f(at)).z).isBetween(-1f, 1f);
        assertThat(camera.look(new Vector3f(3, 9, -2), at).eye().y())
                .as("nearly above it")
                .isCloseTo(9, within(0.01f));
        assertThatThrownBy(() -> camera.look(at, at)).hasMessageContaining("two places that differ");
        assertThatThrownBy(() -> camera.look(new Vector3f(Float.NaN), at)).hasMessageContaining("NaN");
    }
}
