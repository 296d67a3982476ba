package dev.escapement.render;

import static dev.escapement.render.PublishedWorld.TICK_NANOS;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.TickRate;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A null argument is the caller's error: it is thrown to the caller, with the argument's name, not on a thread that starts later. */
@NullUnmarked
class NullArgumentsTest {

    private static final TickRate FPS = TickRate.hertz(60);
    private static final long BODY = BodyId.of(0, 1);

    private final PublishedWorld world = new PublishedWorld(3, tick -> 0);
    private final FrameView view = FrameView.of(world.newReader());
    private final RenderBackend backend = drawn -> {};
    private final FrameListener listener = new FrameListener() {};

    static Stream<Arguments> calls() {
        return Stream.of(
                call("reader", t -> FrameView.of(null)),
                call("reader", t -> FrameView.of(null, Interpolation.DEFAULT)),
                call("interpolation", t -> FrameView.of(t.world.newReader(), null)),
                call("reader", t -> FrameView.inline(null)),
                call("visitor", t -> t.view.changes(null)),
                call("out", t -> t.view.position(BODY, null)),
                call("out", t -> t.view.rotation(BODY, null)),
                call("out", t -> t.view.transform(BODY, null)),
                call("out", t -> t.view.positionOfSlot(0, null)),
                call("out", t -> t.view.rotationOfSlot(0, null)),
                call("view", t -> RenderLoop.start(null, t.backend, FPS, t.listener)),
                call("view", t -> {
                    try (RenderLoop loop =
                            RenderLoop.start(FrameView.of(t.world.newReader()), t.backend, FPS, t.listener)) {
                        loop.show(null);
                    }
                }),
                call("backend", t -> RenderLoop.start(t.view, null, FPS, t.listener)),
                call("framesPerSecond", t -> RenderLoop.start(t.view, t.backend, (TickRate) null, t.listener)),
                call("listener", t -> RenderLoop.start(t.view, t.backend, FPS, null)),
                call("backend", t -> RenderLoop.start(t.view, null, t.listener)),
                call("listener", t -> RenderLoop.start(t.view, t.backend, null)));
    }

    private static Arguments call(String parameter, Consumer<NullArgumentsTest> call) {
        return Arguments.of(parameter, call);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void shouldNameWhatIsMissing(String parameter, Consumer<NullArgumentsTest> call) {
        world.runUntil(9 * TICK_NANOS);
        view.advance(9 * TICK_NANOS);
        view.changes(new BodyVisitor() {
            @Override
            public void appeared(long bodyId, long userData) {}

            @Override
            public void vanished(long bodyId, long userData) {}
        });
        assertThatNullPointerException().isThrownBy(() -> call.accept(this)).withMessageContaining(parameter);
    }
}
