package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.WritableSnapshot;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A simulation that lets another thread write poses. */
class WritingThreadTest {

    private static final String REFUSAL =
            "poses can be written by the thread that captures only: thread 'helper' tried while"
                    + " thread '%s' captures; compute on other threads, and write on this one";

    private final CapturedWorld world = new CapturedWorld(1, 4, PoseLayout.PLAIN);

    static Stream<Consumer<PoseWriter>> calls() {
        return CaptureTest.calls();
    }

    /** What a call on another thread throws. */
    private static @Nullable Throwable onAnotherThread(Runnable call) {
        FutureTask<@Nullable Throwable> task = new FutureTask<>(() -> catchThrowable(call::run));
        new Thread(task, "helper").start();
        try {
            return task.get();
        } catch (Exception impossible) {
            throw new AssertionError(impossible);
        }
    }

    @ParameterizedTest
    @MethodSource("calls")
    void shouldRefuseAnotherThreadAndFailTheCapture(Consumer<PoseWriter> call) {
        world.tick(WritingThreadTest::setOne);
        Throwable[] refusal = new Throwable[1];
        assertThatIllegalStateException()
                .isThrownBy(() -> world.tick(poses -> {
                    refusal[0] = onAnotherThread(() -> call.accept(poses));
                    poses.set(0, 1, 2, 3, 0, 0, 0, 1);
                }))
                .withMessage("tick 2 is not complete: another thread tried to write poses")
                .satisfies(failure -> assertThat(failure).hasCause(refusal[0]));
        assertThat(refusal[0])
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(REFUSAL.formatted(Thread.currentThread().getName()));
        assertThatIllegalStateException().isThrownBy(world::tick).withMessageContaining("failed half way");
    }

    @Test
    void shouldReportTheFirstAttempt() {
        Throwable[] first = new Throwable[1];
        assertThatIllegalStateException()
                .isThrownBy(() -> world.tick(poses -> {
                    setOne(poses);
                    first[0] = onAnotherThread(() -> poses.teleport(0));
                    assertThat(onAnotherThread(() -> poses.bodyCount(5))).isNotSameAs(first[0]);
                }))
                .satisfies(failure -> assertThat(failure.getCause()).isSameAs(first[0]));
    }

    /** A caller's loop may move from one thread to the next; the one before is refused. */
    @Test
    void shouldLetEveryTickHaveItsOwnThread() throws Exception {
        Capture capture = new Capture(WritingThreadTest::setOne, PoseLayout.PLAIN, CapturedWorld.RATE, 4);
        WritableSnapshot first = new WritableSnapshot(4, PoseLayout.PLAIN);
        first.startTick(1, 0);
        WritableSnapshot second = new WritableSnapshot(4, PoseLayout.PLAIN);
        second.startTick(2, 0);
        capture.captureInto(first, null);
        FutureTask<@Nullable Void> task = new FutureTask<>(() -> {
            capture.captureInto(second, first);
            return null;
        });
        new Thread(task, "helper").start();
        task.get();
        assertThat(second.bodies().count()).isEqualTo(1);
    }

    private static void setOne(PoseWriter poses) {
        poses.bodyCount(1);
        poses.set(0, 1, 2, 3, 0, 0, 0, 1);
    }
}
