package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.world.BodyShape.TriangleMesh;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MeshBuilderTest {

    private static final double[] ORIGIN = {0, 0, 0, 0, 0, 0, 1};

    @Test
    void shouldBuildABoxOfTwelveTriangles() {
        TriangleMesh box = new MeshBuilder()
                .add((x, y, z, corner) -> set(corner, Math.copySign(1, x), Math.copySign(2, y), Math.copySign(3, z)))
                .build();
        assertThat(box.corners()).hasSize(12 * 9);
        assertThat(ShapeMeasures.bounds(box, ORIGIN)).containsExactly(-1, -2, -3, 1, 2, 3);
        assertThat(ShapeMeasures.volume(box)).as("closed, counterclockwise").isCloseTo(48, within(1e-9));
    }

    @Test
    void shouldBuildARoundFormWithItsExactExtents() {
        TriangleMesh ball = new MeshBuilder()
                .add((x, y, z, corner) -> set(corner, 2 * x, 2 * y, 2 * z))
                .build();
        assertThat(ShapeMeasures.bounds(ball, ORIGIN)).containsExactly(-2, -2, -2, 2, 2, 2);
        assertThat(ShapeMeasures.volume(ball)).isBetween(0.95 * 4 / 3 * Math.PI * 8, 4 / 3.0 * Math.PI * 8);
    }

    /** A polygon of n corners has n - 2 triangles on either face and 2 on each side. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 8, 100})
    void shouldBuildAPrismOfFourTrianglesACornerLessFour(int count) {
        double[] outline = new double[2 * count];
        for (int i = 0; i < count; i++) {
            outline[2 * i] = 5 + Math.cos(2 * Math.PI * i / count);
            outline[2 * i + 1] = Math.sin(2 * Math.PI * i / count);
        }
        TriangleMesh prism = new MeshBuilder().addPrism(0.25, outline).build();
        assertThat(prism.corners()).hasSize(9 * (4 * count - 4));
        assertThat(ShapeMeasures.volume(prism))
                .as("closed, counterclockwise")
                .isCloseTo(count * Math.sin(2 * Math.PI / count) / 2 * 0.5, within(1e-5));
    }

    @Test
    void shouldAskAFormForItsPointsWhenTheMeshIsReadAndOnce() {
        AtomicInteger asked = new AtomicInteger();
        TriangleMesh ball = new MeshBuilder()
                .add((x, y, z, corner) -> {
                    asked.incrementAndGet();
                    set(corner, x, y, z);
                })
                .build();
        assertThat(asked).hasValue(0);
        float[] corners = ball.corners();
        int once = asked.get();
        assertThat(ball.corners()).isEqualTo(corners).isNotEmpty();
        assertThat(asked).hasValue(once);
    }

    @Test
    void shouldLeaveOutTrianglesWithoutArea() {
        double[] a = {1, 2, 3};
        double[] b = {1, 2, 3 + 1e-9};
        double[] c = {0, 0, -1e-9};
        assertThat(new MeshBuilder().add(a, b, c).isEmpty()).isTrue();
        assertThat(new MeshBuilder().add(b, c, a).isEmpty()).isTrue();
        assertThat(new MeshBuilder().add(c, a, b).isEmpty()).isTrue();
        double[] d = {0, 5, 0};
        assertThat(new MeshBuilder().add(a, c, d).build().corners()).containsExactly(1, 2, 3, 0, 0, 0, 0, 5, 0);
        assertThat(new MeshBuilder().add(a, c, d).build())
                .isEqualTo(new MeshBuilder().add(b, new double[3], d).build());
    }

    private static void set(double[] corner, double x, double y, double z) {
        corner[0] = x;
        corner[1] = y;
        corner[2] = z;
    }
}
