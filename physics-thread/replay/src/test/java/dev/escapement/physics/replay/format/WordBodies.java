package dev.escapement.physics.replay.format;

import dev.escapement.physics.restore.BodyStates;
import java.util.List;
import java.util.stream.IntStream;

/** Bodies whose states are any words. */
public final class WordBodies implements BodyStates {

    /** The components of each body, one body after the other. */
    public final long[] words;

    /** The first body that cannot be read. */
    public int unreadableFrom = Integer.MAX_VALUE;

    private final List<String> components;

    public WordBodies(int bodies, int componentCount) {
        words = new long[bodies * componentCount];
        components =
                IntStream.range(0, componentCount).mapToObj(Integer::toString).toList();
    }

    @Override
    public int bodyCount() {
        return words.length / components.size();
    }

    @Override
    public List<String> stateComponents() {
        return components;
    }

    @Override
    public void readState(int body, long[] bits, int at) {
        if (body >= unreadableFrom) {
            throw new IllegalStateException("freed");
        }
        System.arraycopy(words, body * components.size(), bits, at, components.size());
    }
}
