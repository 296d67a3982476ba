package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.stephengold.joltjni.Body;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BodyReadsTest {

    private final JoltGameWorld game = new JoltGameWorld();

    @AfterEach
    void close() {
        game.close();
    }

    @Test
    void shouldTellActiveBodiesFromSleepingOnesAlsoBesideManyThatAreNotAttached() {
        AttachedBodies attached = new AttachedBodies();
        try (BodyReads reads = new BodyReads(game.world(), game.bodyInterface(), attached)) {
            assertThat(reads.read()).isEqualTo(AttachedBodies.NONE);
            Body active = game.addBox(0, 3);
            Body sleeping = game.addBox(3, 3);
            Body fixed = game.addPlatform(20, 3);
            game.bodyInterface().deactivateBody(sleeping.getId());
            game.bodyInterface().deactivateBody(fixed.getId());
            for (Body body : List.of(sleeping, active, fixed)) {
                attached.add(body);
            }
            for (int others = 0; others <= 20; others += 10) {
                for (int i = 0; i < others; i++) {
                    game.addBox(5 + 2 * i, 3);
                }
                assertThat(reads.read()).isEqualTo(AttachedBodies.NONE);
                assertThat(List.of(reads.isActive(0), reads.isActive(1), reads.isActive(2)))
                        .as("beside " + others)
                        .containsExactly(false, true, false);
            }
        }
    }

    @Test
    void shouldFindABodyThatIsNotInTheSystemAnyMore() {
        AttachedBodies attached = new AttachedBodies();
        try (BodyReads reads = new BodyReads(game.world(), game.bodyInterface(), attached)) {
            attached.add(game.addBox(0, 3));
            Body destroyed = game.addBox(3, 3);
            attached.add(destroyed);
            assertThat(reads.read()).isEqualTo(AttachedBodies.NONE);
            game.remove(destroyed);
            game.addBox(6, 3); // in the memory and the place of the other
            assertThat(reads.read()).isEqualTo(1);
        }
    }
}
