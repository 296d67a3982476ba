package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A world that follows another one, after a restart. */
class FirstGenerationTest {

    private static CapturedWorld world(int firstGeneration) {
        return new CapturedWorld(3, 1, 4, PoseLayout.PLAIN, firstGeneration);
    }

    @Test
    void shouldGiveNoIdThatAnEarlierWorldGave() {
        Set<Long> all = new HashSet<>();
        int firstGeneration = 0;
        for (int life = 0; life < 5; life++) {
            CapturedWorld world = world(firstGeneration);
            for (long id : liveFor(life, world)) {
                assertThat(all.add(id)).as(BodyId.toString(id)).isTrue();
            }
            firstGeneration = world.capture().highestGeneration() + 1;
        }
        assertThat(all).hasSizeGreaterThan(100);
    }

    /** Spawns and reserves, in this life more often than in the one before. */
    private static List<Long> liveFor(int life, CapturedWorld world) {
        List<Long> given = new ArrayList<>();
        for (int round = 0; round <= life; round++) {
            long unused = world.capture().reserve();
            long reserved = world.capture().reserve();
            given.addAll(List.of(unused, reserved));
            List<Long> bodies = new ArrayList<>(List.of(reserved));
            world.tick(poses -> {
                poses.spawn(reserved, 0);
                poses.set(poses.slotOf(reserved), 0, 0, 0, 0, 0, 0, 1);
                for (int i = 0; i < 20; i++) {
                    long id = poses.spawn(7);
                    poses.set(poses.slotOf(id), 0, 0, 0, 0, 0, 0, 1);
                    bodies.add(id);
                    given.add(id);
                }
            });
            world.capture().giveBack(unused);
            world.tick(poses -> bodies.forEach(poses::despawn));
        }
        return given;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 6, Integer.MAX_VALUE - 1, Integer.MIN_VALUE, -2})
    void shouldStartAllSlotsWithIt(int firstGeneration) {
        CapturedWorld world = world(firstGeneration);
        assertThat(world.capture().highestGeneration()).isEqualTo(firstGeneration + 1);
        long reserved = world.capture().reserve();
        assertThat(reserved).isEqualTo(BodyId.of(0, firstGeneration + 1));
        Bodies bodies = world.tick(poses -> {
                    poses.spawn(reserved, 1);
                    for (int slot = 1; slot < 40; slot++) {
                        assertThat(poses.spawn(2)).isEqualTo(BodyId.of(slot, firstGeneration + 1));
                    }
                    for (int slot = 0; slot < 40; slot++) {
                        poses.set(slot, 0, 0, 0, 0, 0, 0, 1);
                    }
                })
                .bodies();
        assertThat(bodies.count()).isEqualTo(40);
        assertThat(bodies.exists(reserved)).isTrue();
        assertThat(bodies.exists(0L)).as("no body has the id 0").isFalse();
        world.tick(poses -> poses.despawn(reserved));
        assertThat(world.tick().bodies().exists(reserved)).isFalse();
        assertThat(world.capture().reserve()).isEqualTo(BodyId.of(0, firstGeneration + 3));
        assertThat(world.capture().highestGeneration()).isEqualTo(firstGeneration + 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, -1, Integer.MAX_VALUE})
    void shouldRefuseAFirstGenerationOfBodies(int odd) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> world(odd))
                .withMessage("the first generation must be even, for odd ones are those of bodies, but is " + odd);
    }
}
