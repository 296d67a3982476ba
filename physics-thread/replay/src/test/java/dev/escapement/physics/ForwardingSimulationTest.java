package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A forwarding simulation passes on the call of every method, also of methods that are added later. */
@NullUnmarked
class ForwardingSimulationTest {

    private final List<Method> called = new ArrayList<>();

    static Stream<Method> methods() {
        return Stream.of(Simulation.class.getDeclaredMethods())
                .filter(method -> !method.isSynthetic() && !method.getName().equals("capability"));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void shouldForwardEveryMethod(Method method) throws ReflectiveOperationException {
        Simulation other = (Simulation) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Simulation.class}, (proxy, itself, arguments) -> {
                    called.add(itself);
                    return zero(itself.getReturnType());
                });
        Object[] arguments = Stream.of(method.getParameterTypes())
                .map(ForwardingSimulationTest::zero)
                .toArray();
        method.invoke(new ForwardingSimulation(other) {}, arguments);
        assertThat(called).containsExactly(method);
    }

    private static Object zero(Class<?> type) {
        return type == int.class ? (Object) 0 : type == long.class ? (Object) 0L : null;
    }
}
