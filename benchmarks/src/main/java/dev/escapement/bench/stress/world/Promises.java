package dev.escapement.bench.stress.world;

import dev.escapement.bench.stress.trial.Promise;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Promises that come together. */
public final class Promises {

    private Promises() {}

    /** What {@link CheckingReader} checks, and some more. */
    public static Set<Promise> ofReaders(Promise... more) {
        Set<Promise> promises = EnumSet.copyOf(CheckingReader.PROMISES);
        promises.addAll(List.of(more));
        return promises;
    }

    /** What {@link CheckingReader} checks where nobody knows what the bodies should look like, and some more. */
    public static Set<Promise> ofReadersWithoutModel(Promise... more) {
        Set<Promise> promises = ofReaders(more);
        promises.remove(Promise.AS_SIMULATED);
        return promises;
    }
}
