package dev.escapement.state.capture.model;

import dev.escapement.state.snapshot.BodyId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** All ids that bodies ever had. */
final class GivenIds {

    private final Set<Long> all = new TreeSet<>();
    private final List<Long> inOrder = new ArrayList<>();

    void add(long id, int slot) {
        if (BodyId.slot(id) != slot || !BodyId.isLive(BodyId.generation(id))) {
            throw new AssertionError(BodyId.toString(id) + " is no id for slot " + slot);
        }
        if (!all.add(id)) {
            throw new AssertionError(BodyId.toString(id) + " was given before");
        }
        inOrder.add(id);
    }

    List<Long> some(SplittableRandom random) {
        return random.ints(inOrder.isEmpty() ? 0 : 50, 0, Math.max(1, inOrder.size()))
                .mapToObj(inOrder::get)
                .toList();
    }
}
