package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import com.badlogic.gdx.graphics.g3d.ModelInstance;
import com.badlogic.gdx.math.Matrix4;
import com.jme3.math.Transform;
import com.jme3.scene.Node;
import com.jme3.scene.Spatial;
import dev.escapement.bench.jmh.BackendBenchmark.Jme;
import dev.escapement.bench.jmh.BackendBenchmark.JmeFloor;
import dev.escapement.bench.jmh.BackendBenchmark.Libgdx;
import dev.escapement.bench.jmh.BackendBenchmark.LibgdxFloor;
import dev.escapement.bench.jmh.BackendBenchmark.Scene;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody is measured doing less work than the others: all place the same objects in the same way, in every frame anew. */
class BackendBenchmarkTest {

    private static final int BODIES = 2000;

    private final BackendBenchmark benchmark = new BackendBenchmark();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldPlaceTheSameSpatials(boolean blended) throws Exception {
        JmeFloor floor = filled(new JmeFloor());
        Jme own = filled(new Jme());
        Consumer<Jme> frame = blended ? benchmark::escapementJmeBlended : benchmark::escapementJme;
        own.node.getChildren().forEach(spatial -> spatial.setLocalTransform(Transform.IDENTITY));
        frame.accept(own);
        benchmark.floorJme(floor);
        assertThat(transforms(own.node)).hasSize(BODIES).isEqualTo(transforms(floor.node));
        assertThat(transforms(own.node)).doesNotContain(Transform.IDENTITY);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldPlaceTheSameInstances(boolean blended) throws Exception {
        LibgdxFloor floor = filled(new LibgdxFloor());
        Libgdx own = filled(new Libgdx());
        Consumer<Libgdx> frame = blended ? benchmark::escapementLibgdxBlended : benchmark::escapementLibgdx;
        own.objects().instances().forEach(instance -> instance.transform.idt());
        frame.accept(own);
        benchmark.floorLibgdx(floor);
        List<List<Float>> expected = transforms(Arrays.asList(floor.instances));
        assertThat(transforms(own.objects().instances())).hasSize(BODIES).isEqualTo(expected);
        assertThat(expected).doesNotContain(floats(new Matrix4()));
    }

    private static <S extends Scene> S filled(S scene) throws Exception {
        scene.bodies = BODIES;
        scene.create();
        return scene;
    }

    private static List<Transform> transforms(Node node) {
        return node.getChildren().stream().map(Spatial::getLocalTransform).toList();
    }

    private static List<List<Float>> transforms(Iterable<ModelInstance> instances) {
        return StreamSupport.stream(instances.spliterator(), false)
                .map(instance -> floats(instance.transform))
                .toList();
    }

    private static List<Float> floats(Matrix4 matrix) {
        return IntStream.range(0, 16).mapToObj(i -> matrix.val[i]).toList();
    }
}
