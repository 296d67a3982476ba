package dev.escapement.physics.replay.log;

import dev.escapement.physics.replay.format.BodyDigests;
import dev.escapement.physics.restore.BodyStates;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Bodies that come, go, move and rest, by chance. Describes what a log has of them. */
final class RandomBodies implements BodyStates {

    private final SplittableRandom random;
    private final int fewest;
    private final List<long[]> bodies = new ArrayList<>();

    RandomBodies(SplittableRandom random, int fewest) {
        this.random = random;
        this.fewest = fewest;
    }

    void move() {
        while (bodies.size() < fewest || random.nextInt(3) == 0) {
            bodies.add(new long[] {random.nextLong(), random.nextLong()});
        }
        if (random.nextInt(3) == 0) {
            bodies.remove(random.nextInt(bodies.size()));
        }
        bodies.get(random.nextInt(bodies.size()))[random.nextInt(2)]++;
    }

    @Override
    public int bodyCount() {
        return bodies.size();
    }

    @Override
    public List<String> stateComponents() {
        return List.of("x", "y");
    }

    @Override
    public void readState(int body, long[] bits, int at) {
        System.arraycopy(bodies.get(body), 0, bits, at, 2);
    }

    @Override
    public String toString() {
        StringBuilder digests = new StringBuilder();
        for (long[] body : bodies) {
            for (long component : body) {
                digests.append(' ').append(BodyDigests.digest(component));
            }
        }
        return digests.toString();
    }
}
