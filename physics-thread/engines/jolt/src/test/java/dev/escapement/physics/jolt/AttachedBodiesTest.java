package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.stephengold.joltjni.Body;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AttachedBodiesTest {

    /** The model is a list in which the last body takes the index of a removed one, as {@link AttachedBodies} does it. */
    @Test
    void shouldFindTheSameAsAList() {
        try (JoltGameWorld game = new JoltGameWorld()) {
            AttachedBodies attached = new AttachedBodies();
            List<Body> model = new ArrayList<>();
            List<Body> all = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                all.add(game.addBox(2 * i, 3));
            }
            Collections.shuffle(all, new Random(7));
            Random random = new Random(8);
            for (int round = 0; round < 5000; round++) {
                Body body = all.get(random.nextInt(all.size()));
                int index = model.indexOf(body);
                if (index < 0) {
                    model.add(body);
                    attached.add(body);
                } else {
                    model.set(index, model.get(model.size() - 1));
                    model.remove(model.size() - 1);
                    attached.remove(body);
                }
                assertThat(attached.size()).isEqualTo(model.size());
                Body asked = all.get(random.nextInt(all.size()));
                assertThat(attached.find(asked)).isEqualTo(model.indexOf(asked));
                assertThat(attached.find(asked.va())).isEqualTo(model.indexOf(asked));
            }
            for (int index = 0; index < model.size(); index++) { // searches in the order of a capture
                assertThat(attached.find(model.get(index))).isEqualTo(index);
                assertThat(attached.id(index)).isEqualTo(model.get(index).getId());
            }
        }
    }
}
