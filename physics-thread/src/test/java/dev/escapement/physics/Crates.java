package dev.escapement.physics;

import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** A world of crates at given heights, which commands spawn and remove. The next capture reports them. */
final class Crates implements Simulation {

    final Map<Long, Float> heights = new LinkedHashMap<>();
    private final Map<Long, Float> reported = new LinkedHashMap<>();

    /** Adds a crate; the body of a spawn command. */
    boolean add(long id, float height) {
        heights.put(id, height);
        return true;
    }

    @Override
    public void step(Tick tick) {}

    @Override
    public void capture(PoseWriter poses) {
        reported.keySet().stream().filter(id -> !heights.containsKey(id)).forEach(poses::despawn);
        reported.keySet().retainAll(heights.keySet());
        heights.forEach((id, height) -> {
            if (reported.put(id, height) == null) {
                poses.spawn(id, 7);
            }
            poses.set(poses.slotOf(id), 0, height, 0, 0, 0, 0, 1);
        });
    }
}
