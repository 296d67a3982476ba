package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.ShapeSource;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A forwarding simulation passes on every call. */
@NullUnmarked
class ForwardingSimulationTest {

    private interface Everything extends Simulation, Restorable, ShapeSource {}

    private final List<Method> called = new ArrayList<>();

    static Stream<Method> methods() {
        return Stream.of(Simulation.class.getDeclaredMethods())
                .filter(method -> !method.isSynthetic() && !method.getName().equals("capability"));
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

    @ParameterizedTest
    @ValueSource(classes = {Restorable.class, ShapeSource.class})
    void shouldHaveTheCapabilitiesOfTheOther(Class<?> type) {
        Simulation capable = recording();
        assertThat(new Forwarding(new Forwarding(capable)).capability(type).orElse(null))
                .isSameAs(capable);
        assertThat(new Forwarding(ScriptedSimulation.good()).capability(type)).isEmpty();
    }

    @Test
    void shouldPutItsOwnCapabilityBeforeTheOtherOne() {
        class Shaped extends Forwarding implements ShapeSource {

            Shaped() {
                super(recording());
            }

            @Override
            public BodyShape shape(long body) {
                return null;
            }
        }

        Shaped around = new Shaped();
        assertThat(around.capability(ShapeSource.class)).containsSame(around);
    }

    private Simulation recording() {
        return (Simulation) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Everything.class}, (proxy, method, arguments) -> {
                    called.add(method);
                    return method.getName().equals("capability") ? Optional.of(proxy) : zero(method.getReturnType());
                });
    }

    private static Object zero(Class<?> type) {
        return type == int.class ? (Object) 0 : type == long.class ? (Object) 0L : null;
    }

    private static class Forwarding extends ForwardingSimulation {

        Forwarding(Simulation simulation) {
            super(simulation);
        }
    }
}
