package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.escapement.physics.ScriptedSimulation;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.replay.BodyStates;
import dev.escapement.state.world.ShapeSource;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A simulation around another one passes on every call. */
@NullUnmarked
class ForwardingSimulationTest {

    private interface Everything extends Simulation, BodyStates, ShapeSource {}

    private final List<Method> called = new ArrayList<>();

    static Stream<Method> methods() {
        return Stream.of(Simulation.class, BodyStates.class, ShapeSource.class)
                .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                .filter(method -> !method.isSynthetic());
    }

    @ParameterizedTest
    @MethodSource("methods")
    void shouldForwardEveryMethod(Method method) throws ReflectiveOperationException {
        Class<?>[] types = method.getParameterTypes();
        Object[] arguments =
                Stream.of(types).map(ForwardingSimulationTest::zero).toArray();
        method.invoke(new Forwarding(recording()), arguments);
        assertThat(called).extracting(Method::getName).containsExactly(method.getName());
        assertThat(called.get(0).getParameterTypes()).isEqualTo(types);
    }

    @Test
    void shouldHaveNeitherBodiesNorShapesWhereTheOtherReportsNone() {
        Forwarding around = new Forwarding(ScriptedSimulation.good());
        assertThat(around.bodyCount()).isZero();
        assertThat(around.stateComponents()).isEmpty();
        around.readStates(0, 0, new long[0]);
        assertThat(around.shape(0)).isNull();
    }

    @Test
    void shouldRefuseNull() {
        assertThatNullPointerException()
                .isThrownBy(() -> new Forwarding(null))
                .withMessage("simulation must not be null; pass what to forward to");
    }

    private Simulation recording() {
        return (Simulation) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Everything.class}, (proxy, method, arguments) -> {
                    called.add(method);
                    return zero(method.getReturnType());
                });
    }

    private static Object zero(Class<?> type) {
        return type == int.class ? (Object) 0 : type == long.class ? (Object) 0L : null;
    }

    private static final class Forwarding extends ForwardingSimulation {

        Forwarding(Simulation simulation) {
            super(simulation);
        }
    }
}
