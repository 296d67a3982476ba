package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.stephengold.joltjni.Body;
import dev.escapement.state.event.EventWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BodySlotsTest {

    @Test
    void shouldFindWhatAMapWouldFindThoughBodiesComeAndGo() {
        try (JoltGameWorld game = new JoltGameWorld()) {
            BodySlots slots = new BodySlots();
            Map<Body, Integer> model = new HashMap<>();
            List<Body> all = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                all.add(game.addBox(2 * i, 3));
            }
            Collections.shuffle(all, new Random(7));
            Random random = new Random(8);
            for (int round = 0; round < 2000; round++) {
                Body body = all.get(random.nextInt(all.size()));
                if (model.remove(body) == null) {
                    model.put(body, round);
                    slots.add(body, round);
                } else {
                    slots.remove(body);
                }
                Body asked = all.get(random.nextInt(all.size()));
                assertThat(slots.find(asked) >= 0).isEqualTo(model.containsKey(asked));
                assertThat(slots.slotOf(asked.va())).isEqualTo(model.getOrDefault(asked, EventWriter.NO_BODY));
                if (slots.find(asked) >= 0) {
                    assertThat(slots.id(slots.find(asked))).isEqualTo(asked.getId());
                }
            }
        }
    }

    @Test
    void shouldLearnSlotsOnceTheyAreKnown() {
        try (JoltGameWorld game = new JoltGameWorld()) {
            BodySlots slots = new BodySlots();
            Body early = game.addBox(0, 3);
            Body late = game.addBox(2, 3);
            slots.add(early, BodySlots.NOT_YET);
            slots.add(late, BodySlots.NOT_YET);
            slots.learn(body -> body.equals(early) ? 4 : EventWriter.NO_BODY);
            assertThat(slots.slotOf(early.va())).isEqualTo(4);
            assertThat(slots.slotOf(late.va())).isEqualTo(BodySlots.NOT_YET);
            slots.remove(early);
            slots.learn(body -> 5);
            assertThat(slots.slotOf(late.va())).isEqualTo(5);
            slots.learn(body -> 6);
            assertThat(slots.slotOf(late.va())).as("a slot does not change").isEqualTo(5);
        }
    }
}
