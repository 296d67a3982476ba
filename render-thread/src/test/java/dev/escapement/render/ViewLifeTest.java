package dev.escapement.render;

import static dev.escapement.render.PublishedWorld.TICK_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.BodyId;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.joml.Matrix4f;
import org.joml.Quaternionf;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every public method of a view before the first frame, and after the close. */
class ViewLifeTest {

    private static final long BODY = BodyId.of(0, 1);
    private static final String NO_WINDOW = "IllegalStateException: there is no window yet";
    private static final String DETACHED = "IllegalStateException: this snapshot reader was detached";

    private final PublishedWorld world = new PublishedWorld(3, tick -> 0);

    /** A method, and the beginnings of its results before the first frame and after the close. */
    private record Row(String method, Function<FrameView, Object> call, String before, String after) {

        @Override
        public String toString() {
            return method;
        }
    }

    static Stream<Row> methods() {
        BodyVisitor visitor = new BodyVisitor() {
            @Override
            public void appeared(long bodyId, long userData) {}

            @Override
            public void vanished(long bodyId, long userData) {}
        };
        return Stream.of(
                row("advance", view -> view.advance(1), "false", "IllegalArgumentException: the clock went backwards"),
                row("advance", view -> view.advance(9 * TICK_NANOS, 9 * TICK_NANOS), "false", DETACHED),
                row("retime", view -> done(() -> view.retime(9 * TICK_NANOS)), "done", "done"),
                row("poses", view -> view.poses().slotCount(), NO_WINDOW, "1"),
                row("interpolator", FrameView::interpolator, NO_WINDOW, DETACHED),
                row("shown", FrameView::shown, NO_WINDOW, DETACHED),
                row("contains", view -> view.contains(BODY), "false", "false"),
                row("position", view -> view.position(BODY, new Vector3f()), NO_WINDOW, DETACHED),
                row("rotation", view -> view.rotation(BODY, new Quaternionf()), NO_WINDOW, DETACHED),
                row("angleOf", view -> view.angleOf(BODY), NO_WINDOW, DETACHED),
                row("angleOfSlot", view -> view.angleOfSlot(0), NO_WINDOW, DETACHED),
                row("transform", view -> view.transform(BODY, new Matrix4f()), NO_WINDOW, DETACHED),
                row("positionOfSlot", view -> view.positionOfSlot(0, new Vector3f()), NO_WINDOW, DETACHED),
                row("rotationOfSlot", view -> view.rotationOfSlot(0, new Quaternionf()), NO_WINDOW, DETACHED),
                row("changes", view -> done(() -> view.changes(visitor)), NO_WINDOW, DETACHED),
                row("clock", FrameView::clock, "", ""),
                row("hasWindow", FrameView::hasWindow, "false", "false"),
                row("window", FrameView::window, NO_WINDOW, DETACHED),
                row("handOver", view -> done(view::handOver), "done", DETACHED),
                row("close", view -> done(view::close), "done", "done"),
                row("toString", FrameView::toString, "FrameView[tick 0 + 0.0]", "FrameView[tick 7 + 0.9"));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void shouldAnswerAsItSaysBeforeTheFirstFrameAndAfterTheClose(Row row) {
        FrameView view = FrameView.of(world.newReader());
        assertThat(answer(row, view)).as("before the first frame").startsWith(row.before);
        FrameView shown = FrameView.of(world.newReader());
        world.runUntil(9 * TICK_NANOS);
        assertThat(shown.advance(9 * TICK_NANOS)).isTrue();
        shown.close();
        assertThat(answer(row, shown)).as("after the close").startsWith(row.after);
    }

    @Test
    void shouldKnowEveryPublicMethod() {
        Set<String> all = Arrays.stream(FrameView.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers()))
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> known = methods().map(Row::method).collect(Collectors.toCollection(TreeSet::new));
        assertThat(known).isEqualTo(all);
    }

    private static String answer(Row row, FrameView view) {
        try {
            return String.valueOf(row.call.apply(view));
        } catch (RuntimeException e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage();
        }
    }

    private static Row row(String method, Function<FrameView, Object> call, String before, String after) {
        return new Row(method, call, before, after);
    }

    private static String done(Runnable call) {
        call.run();
        return "done";
    }
}
