package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.escapement.physics.request.TimeRequests;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A null argument throws to the caller; the message has the argument's name and what to pass. */
@NullUnmarked
class NullArgumentsTest {

    private static final String COMMAND = "command must not be null; pass what to do before the next tick";
    private static final String TYPE = "type must not be null; pass that for which the simulation has a handler";
    private static final String QUERY = "query must not be null; pass what to look up between two ticks";
    private static final String SPAWN = "command must not be null; pass what makes the body";
    private static final String SCALE = "scale must not be null; for real time pass TimeScale.ONE, to stop time, pause";

    private static final String SHAPES = "bodies must not be null; pass the ids of the bodies";

    private final PhysicsServiceBuilder builder = PhysicsService.builder(new Crates());
    private final PhysicsService service =
            PhysicsService.builder(new Crates()).rate(TickRate.hertz(2000)).start();

    @AfterEach
    void close() {
        service.close();
    }

    static Stream<Arguments> calls() {
        return Stream.of(
                call("simulation must not be null; pass what ticks", t -> PhysicsService.builder(null)),
                call("simulation must not be null; pass what ticks", t -> PhysicsService.start(null)),
                call("rate must not be null; the default is TickRate.hertz(100)", t -> t.builder.rate(null)),
                call("name must not be null; leave it out for a service without one", t -> t.builder.name(null)),
                call("lateTicks must not be null; the default is LateTicks.dilate()", t -> t.builder.lateTicks(null)),
                call(
                        "waitStrategy must not be null; the default is WaitStrategy.PARK_THEN_SPIN",
                        t -> t.builder.waitStrategy(null)),
                call("layout must not be null; the default is PoseLayout.PLAIN", t -> t.builder.layout(null)),
                call("handler must not be null; without this call failures are logged", t -> t.builder.onFailure(null)),
                call("pausedInput must not be null; without this call there is none", t -> t.builder.pausedInput(null)),
                call("policy must not be null; without this call nothing is asked", t -> t.builder.threadPolicy(null)),
                call("source must not be null; without this call there is none", t -> t.builder.source(null)),
                call("hook must not be null; without this call there is none", t -> t.builder.with(null)),
                call("log must not be null; without this call nothing is replayed", t -> t.builder.replay(null)),
                call("run must not be null; without this call no run is followed", t -> t.builder.follow(null)),
                call("places must not be null; add the builder to a PhysicsHost", t -> t.builder.build(null)),
                call("clock must not be null; pass NanoClock.system() or one of your own", t -> t.builder.inline(null)),
                call("least must not be null; the default is new TimeScale(1, 10)", t -> LateTicks.dilate(null)),
                call(COMMAND, t -> t.service.command(null).isDone()),
                call(COMMAND, t -> t.service.execute(null).isDone()),
                call(TYPE, t -> t.service.command(null, "").isDone()),
                call(QUERY, t -> t.service.query(null).isDone()),
                call(SPAWN, t -> t.service.spawn(null)),
                call(SCALE, t -> t.service.timeScale(null)),
                call(SHAPES, t -> t.service.shapes(null).isDone()),
                call(SCALE, t -> new TimeRequests(TickRate.hertz(100)).scale(null)));
    }

    private static Arguments call(String message, Consumer<NullArgumentsTest> call) {
        return Arguments.of(message, call);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void shouldRefuseNullAndResume(String message, Consumer<NullArgumentsTest> call) throws Exception {
        assertThatNullPointerException().isThrownBy(() -> call.accept(this)).withMessage(message);
        builder.inline(new ManualClock(0)).close(); // has not been used up
        service.query(tick -> tick).get();
        assertThat(service.state()).isEqualTo(ServiceState.RUNNING);
    }

    /** For each new method that takes an object, add a line above. */
    @Test
    void shouldKnowEveryMethodThatTakesAnObject() {
        long methods = Stream.of(
                        PhysicsServiceBuilder.class, TickingWorld.class, PhysicsService.class, InlineDriver.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isBridge())
                .filter(NullArgumentsTest::takesAnObject)
                .count();
        assertThat(methods).isEqualTo(calls().count() - 2); // and two of LateTicks and TimeRequests
    }

    private static boolean takesAnObject(Method method) {
        return Arrays.stream(method.getParameterTypes()).anyMatch(type -> !type.isPrimitive());
    }
}
