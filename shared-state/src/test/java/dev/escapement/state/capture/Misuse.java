package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseLayout;
import java.util.function.Consumer;
import org.junit.jupiter.api.Named;

/** A call that has to be refused, in the third tick of a small world. */
record Misuse(PoseLayout layout, Class<? extends RuntimeException> type, String message, Consumer<PoseWriter> call) {

    static Named<Misuse> argument(String what, PoseLayout layout, String message, Consumer<PoseWriter> call) {
        return Named.of(what, new Misuse(layout, IllegalArgumentException.class, message, call));
    }

    static Named<Misuse> state(String what, PoseLayout layout, String message, Consumer<PoseWriter> call) {
        return Named.of(what, new Misuse(layout, IllegalStateException.class, message, call));
    }

    static Named<Misuse> bounds(String what, PoseLayout layout, String message, Consumer<PoseWriter> call) {
        return Named.of(what, new Misuse(layout, IndexOutOfBoundsException.class, message, call));
    }

    /** Refused with what is wrong in words, and nothing was written: the world continues as if the call had not been made. */
    void assertRefusedAndNothingWritten() {
        CapturedWorld world = beginning();
        CapturedWorld control = beginning();
        long checksum = world.tick(poses -> {
                    poses.set(5, 5, 5, 5, 0, 0, 0.8f, 0.6f);
                    assertThatExceptionOfType(type)
                            .isThrownBy(() -> call.accept(poses))
                            .withMessage(message);
                    setTheOthers(poses);
                })
                .checksum();
        assertThat(checksum)
                .isEqualTo(control.tick(poses -> {
                            poses.set(5, 5, 5, 5, 0, 0, 0.8f, 0.6f);
                            setTheOthers(poses);
                        })
                        .checksum());
        for (int tick = 4; tick < 14; tick++) {
            float x = tick;
            Capture.Source next = poses -> {
                poses.set(5, x, 0, 0, 0, 0, 0, 1);
                poses.set(poses.slotOf(poses.spawn(77)), 1, 1, 1, 0, 0, 0, 1);
            };
            assertThat(world.tick(next).checksum()).isEqualTo(control.tick(next).checksum());
        }
        assertThat(world.capture().quarantinedPoses()).isZero();
    }

    /** Bodies in slots 0 and 2 to 7; slot 1 is empty, slot 2 has its second body. */
    private CapturedWorld beginning() {
        CapturedWorld world = new CapturedWorld(1, 4, layout);
        world.tick(poses -> {
            for (int i = 0; i < 8; i++) {
                poses.set(poses.slotOf(poses.spawn(100 + i)), i, i, i, 0, 0, 0.6f, 0.8f);
            }
        });
        world.tick(poses -> {
            poses.despawn(BodyId.of(2, 1));
            assertThat(poses.spawn(102)).isEqualTo(BodyId.of(2, 3));
            poses.despawn(BodyId.of(1, 1));
            poses.set(2, 2, 2, 2, 0, 0, 0, 1);
        });
        return world;
    }

    private static void setTheOthers(PoseWriter poses) {
        for (int slot : new int[] {0, 2, 3, 4, 6, 7}) {
            poses.set(slot, slot + 1, 0, 0, 0.6f, 0, 0, 0.8f);
        }
    }
}
