package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.PoseLayout.Tangents;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CaptureTest {

    private static final PoseLayout LAYOUT =
            new PoseLayout(Tangents.DERIVED, List.of(new Channel("wheel", Channel.Blending.ANGLE)));

    private final CapturedWorld world = new CapturedWorld(1, 4, LAYOUT);

    @Test
    void shouldNameTheBodyWithoutAPoseAmongOthers() {
        world.tick(poses -> {
            poses.bodyCount(2);
            poses.setAll(0, 2, new float[6], new float[] {0, 0, 0, 1, 0, 0, 0, 1});
        });
        assertThatIllegalStateException()
                .isThrownBy(() -> world.tick(poses -> {
                    poses.despawn(poses.spawn(7)); // gone again, so that it needs none
                    poses.bodyCount(5);
                    poses.set(2, 0, 0, 0, 0, 0, 0, 1);
                    poses.set(4, 0, 0, 0, 0, 0, 0, 1);
                }))
                .withMessage("body 3#1 was spawned in tick 2 without a pose; set it in the same tick");
    }

    @Test
    void shouldNotBeFooledByABodyThatHadAPoseAndIsGone() {
        assertThatIllegalStateException()
                .isThrownBy(() -> world.tick(poses -> {
                    long gone = poses.spawn(1);
                    poses.spawn(2);
                    poses.set(0, 0, 0, 0, 0, 0, 0, 1);
                    poses.despawn(gone);
                }))
                .withMessage("body 1#1 was spawned in tick 1 without a pose; set it in the same tick");
    }

    @Test
    void shouldNeedAPoseForTheSecondBodyOfASlotToo() {
        world.tick(poses -> {
            poses.bodyCount(1);
            poses.set(0, 0, 0, 0, 0, 0, 0, 1);
        });
        assertThatIllegalStateException()
                .isThrownBy(() -> world.tick(poses -> {
                    poses.set(0, 0, 0, 0, 0, 0, 0, 1);
                    poses.bodyCount(0);
                    poses.bodyCount(1); // the last call counts: still the first body
                    poses.despawn(1L << 32);
                    poses.spawn(2);
                }))
                .withMessage("body 0#3 was spawned in tick 2 without a pose; set it in the same tick");
    }

    @Test
    void shouldRefuseToContinueAfterAFailure() {
        IllegalArgumentException failure = new IllegalArgumentException("the simulation's own");
        assertThat(catchThrowable(() -> world.tick(poses -> {
                    throw failure;
                })))
                .isSameAs(failure);
        for (int tick = 2; tick < 4; tick++) {
            assertThatIllegalStateException()
                    .isThrownBy(world::tick)
                    .withMessage("tick " + tick
                            + " cannot be captured, because the capture of an earlier one failed half way");
        }
    }

    static Stream<Consumer<PoseWriter>> calls() {
        return Stream.of(
                w -> w.origin(0, 0, 0),
                w -> w.bodyCount(0),
                w -> w.spawn(1),
                w -> w.spawn(1L << 32, 1),
                w -> w.despawn(1L << 32),
                w -> w.slotOf(1L << 32),
                w -> w.set(0, 0, 0, 0, 0, 0, 0, 1),
                w -> w.setAll(0, 0, new float[0], new float[0]),
                w -> w.angularVelocity(0, 0, 0, 0),
                w -> w.channel(0, 0, 0),
                w -> w.teleport(0),
                w -> w.teleportBy(0, 0, 0, 0),
                w -> w.blended(0, true));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void shouldRefuseTheWriterOutsideOfACapture(Consumer<PoseWriter> call) {
        List<PoseWriter> kept = new ArrayList<>();
        world.tick(poses -> {
            poses.bodyCount(1);
            poses.set(0, 0, 0, 0, 0, 0, 0, 1);
            kept.add(poses);
        });
        assertRefused(() -> call.accept(kept.get(0)));
        world.tick();
        assertThatIllegalStateException().isThrownBy(() -> world.tick(poses -> poses.spawn(1)));
        assertRefused(() -> call.accept(kept.get(0)));
    }

    private static void assertRefused(Runnable call) {
        assertThatIllegalStateException()
                .isThrownBy(call::run)
                .withMessage("poses can be written during the capture of a tick only");
    }
}
